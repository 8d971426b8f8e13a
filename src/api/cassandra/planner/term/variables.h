// The bind markers of a statement: what each stands for. Filled while the statement is planned, in
// any order; told to the client when it prepares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// The receiver of a value: a column, or a part of one ("value(m)", "in(k)", "[limit]").
struct Receiver {
  std::string keyspace;
  std::string table;
  std::string name;
  TypePtr type;
};
Receiver ReceiverOf(const Table& table, const Column& column);
// Of the same table, for a part of what `whole` receives.
Receiver PartOf(const Receiver& whole, std::string name, TypePtr type);

class Variables {
 public:
  // `names` as the parser gives them: one for each marker, empty for "?".
  explicit Variables(std::vector<std::string> names);

  size_t size() const { return receivers_.size(); }
  void Set(uint16_t marker, Receiver receiver);
  // The marker's value is the whole of a partition key column, by position.
  void SetPartitionKey(uint16_t marker, uint32_t position);

  // All of them; markers nobody received (which cannot be) are skipped.
  const std::vector<std::optional<Receiver>>& receivers() const { return receivers_; }
  // The name of marker `i` as values may be given by: its own, else that of its receiver.
  std::string NameOf(size_t marker) const;
  // Markers of all `key_columns` partition key columns in key order, or none if one is missing.
  std::vector<uint16_t> PartitionKeyIndexes(size_t key_columns) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::optional<Receiver>> receivers_;
  std::vector<std::optional<uint16_t>> key_markers_;  // by position
};

}  // namespace orrery::cassandra
