#include "api/cassandra/planner/term/variables.h"

#include "base/check.h"

namespace orrery::cassandra {

Receiver ReceiverOf(const Table& table, const Column& column) {
  return {table.keyspace, table.name, column.name, column.type};
}

Receiver PartOf(const Receiver& whole, std::string name, TypePtr type) {
  return {whole.keyspace, whole.table, std::move(name), std::move(type)};
}

Variables::Variables(std::vector<std::string> names)
    : names_(std::move(names)), receivers_(names_.size()) {}

void Variables::Set(uint16_t marker, Receiver receiver) {
  ORRERY_CHECK(marker < receivers_.size());
  receivers_[marker] = std::move(receiver);
}

void Variables::SetPartitionKey(uint16_t marker, uint32_t position) {
  if (key_markers_.size() <= position) key_markers_.resize(position + 1);
  key_markers_[position] = marker;
}

std::string Variables::NameOf(size_t marker) const {
  if (!names_[marker].empty()) return names_[marker];
  return receivers_[marker].has_value() ? receivers_[marker]->name : std::string();
}

std::vector<uint16_t> Variables::PartitionKeyIndexes(size_t key_columns) const {
  if (key_markers_.size() != key_columns) return {};
  std::vector<uint16_t> indexes;
  for (const auto& marker : key_markers_) {
    if (!marker.has_value()) return {};
    indexes.push_back(*marker);
  }
  return indexes;
}

}  // namespace orrery::cassandra
