// Makes the cells of one row's change out of operations on its columns.
//
// A column of several cells has one for each element: a set's element and a map's key are the
// cell's path, a field of a user-defined type its number, and a list's elements have paths that
// sort as the list does:
//
//   list path := order:uint64 turn:uint32 place:uint32         ; big-endian
//   order     := 2^63 + time for what was appended, 2^63 - time for what was put in front
//   turn      := WriteTimes::list_turn for what was appended, 2^32-1 minus it for what was put in
//                front: of the statements of one write the last is the outermost
//
// Lives for one change. What operations it is given must outlive it: cells are views into them.
#pragma once

#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/planner/modification/column_operation.h"
#include "model/row/row.h"

namespace orrery::cassandra {

struct WriteTimes {
  int64_t timestamp_us = 0;
  uint32_t now_s = 0;
  uint32_t ttl_s = 0;      // 0: for ever
  int64_t list_order = 0;  // the server's time of this write, which no other has
  uint32_t list_turn = 0;  // tells statements of one time apart
  // Of deletions of partitions and ranges; nothing: timestamp_us.
  std::optional<int64_t> clearing_us{};
};

class RowBuilder {
 public:
  explicit RowBuilder(const WriteTimes& times) : times_(times) {}

  // The row is there even if it has no cells: INSERT.
  void SetLive();
  // All of it so far is gone.
  void DeleteRow();
  // `current` is the row as it is, visible parts only; null when there is none or the operation
  // does not read.
  CqlStatus Apply(const BoundOperation& bound, const model::Row* current);

  bool empty() const;
  // Of several writes to one place the one counts that would if they met later: a deletion, else
  // the greatest value. What is added to a counter adds up.
  // REQUIRES: not empty.
  std::string Encode();

 private:
  using Cell = model::Cell;

  CqlStatus Set(const Column& column, const TermValue& value);
  CqlStatus AddElements(const Column& column, std::string_view collection, bool in_front);
  CqlStatus Discard(const Column& column, std::string_view value, const model::Row* current);
  CqlStatus PutElement(const BoundOperation& bound, const model::Row* current);
  CqlStatus RemoveElement(const BoundOperation& bound, const model::Row* current);
  CqlStatus PutListElement(const BoundOperation& bound, const model::Row* current);
  // A list as it is after the operations so far, in its order.
  std::vector<Cell> ListCells(const Column& column, const model::Row* current);
  void Put(const Column& column, std::optional<std::string_view> path, std::string_view value);
  void Remove(const Column& column, std::optional<std::string_view> path);
  void RemoveAll(const Column& column, int64_t timestamp_us);
  void Count(const Column& column, std::string_view amount, bool down);
  // Returns the cell that two writes to one place make.
  Cell Join(const Cell& first, const Cell& second);
  std::string_view Keep(std::string bytes) { return kept_.emplace_front(std::move(bytes)); }

  const WriteTimes times_;
  model::Row row_;
  std::forward_list<std::string> kept_;  // what cells view and no operation has
  uint32_t list_place_ = 0;
};

}  // namespace orrery::cassandra
