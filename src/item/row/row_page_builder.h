// Gathers one page of rows: groups them by logical partition, counts, and says when it is full.
//
//   next := mode:uint8 rows:varint key          ; the stored key that was dealt with last
//   mode := 'K' after that key | 'P' after all of its logical partition
//
// `rows` is how many rows of that logical partition all pages so far have returned.
//
// Not thread-safe; lives for one Scan.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "item/row/row_reader.h"

namespace orrery::item {

struct RowResume {
  bool after_partition = false;
  uint64_t rows = 0;
  std::string key;
};
std::string EncodeResume(const RowResume& resume);
// kInvalidArgument unless it was made for this space and container.
Result<RowResume> DecodeResume(std::string_view bytes, Space space, ContainerId container);

class RowPageBuilder {
 public:
  explicit RowPageBuilder(const PageLimits& limits) : limits_(limits) {}

  bool full() const;
  void Look(size_t bytes);

  // A logical partition begins, or goes on after `rows_before` rows of earlier pages.
  void Begin(Hash128 hash, std::string_view partition_key, uint64_t rows_before);
  void SetStaticRow(std::string static_row) {
    page_.partitions.back().static_row = std::move(static_row);
  }
  void Add(std::string_view clustering, std::string_view row,
           const model::Deletion& covering_deletion);
  // The partition under way has no more.
  void End();
  bool inside() const { return inside_; }
  // Of the partition under way, with those of earlier pages.
  uint64_t rows_of_partition() const { return rows_before_ + page_.partitions.back().rows.size(); }

  // The entry at `key`, or the rest of its logical partition, is dealt with.
  void Done(std::string_view key, bool whole_partition);

  RowPage Cut() &&;
  RowPage Finish() &&;
  // Returns the answer when the cursor failed: the page so far rather than kWouldBlock, if it has
  // any.
  Result<RowPage> Failed(Error error) &&;

 private:
  const PageLimits& limits_;
  RowPage page_;
  size_t bytes_ = 0;
  bool inside_ = false;
  uint64_t rows_before_ = 0;
  RowResume resume_;
};

}  // namespace orrery::item
