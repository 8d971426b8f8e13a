#include "api/cassandra/system/build/row_set.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "base/check.h"

namespace orrery::cassandra {

size_t RowWriter::Find(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column, &Column::name);
  ORRERY_CHECK(found != columns_.end());
  return static_cast<size_t>(found - columns_.begin());
}

RowWriter& RowWriter::Bytes(std::string_view column, std::string_view value) {
  row_[Find(column)] = std::string(value);
  return *this;
}

RowWriter& RowWriter::OptionalText(std::string_view column,
                                   const std::optional<std::string>& value) {
  row_[Find(column)] = value;
  return *this;
}

RowWriter& RowWriter::Boolean(std::string_view column, bool value) {
  return Bytes(column, EncodeBoolean(value));
}

RowWriter& RowWriter::Int(std::string_view column, int64_t value) {
  using Limits = std::numeric_limits<int32_t>;
  const int64_t fitting = std::clamp<int64_t>(value, Limits::min(), Limits::max());
  return Bytes(column, EncodeInteger(static_cast<int32_t>(fitting)));
}

RowWriter& RowWriter::Bigint(std::string_view column, uint64_t value) {
  const auto highest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return Bytes(column, EncodeInteger(static_cast<int64_t>(std::min(value, highest))));
}

RowWriter& RowWriter::Double(std::string_view column, double value) {
  return Bytes(column, EncodeDouble(value));
}

RowWriter& RowWriter::Timestamp(std::string_view column, Micros unix_time) {
  const auto millis = std::chrono::floor<std::chrono::milliseconds>(unix_time);
  return Bytes(column, EncodeInteger(static_cast<int64_t>(millis.count())));
}

RowWriter& RowWriter::Inet(std::string_view column, const InetAddress& address) {
  const auto bytes = address.bytes();
  return Bytes(column, std::string(bytes.begin(), bytes.end()));
}

RowWriter& RowWriter::TextList(std::string_view column, std::span<const std::string> texts) {
  return Collection(column, texts.empty(), PackElements(AsViews(texts)));
}

RowWriter& RowWriter::TextSet(std::string_view column, const std::set<std::string>& texts) {
  const Views views(texts.begin(), texts.end());
  return Collection(column, texts.empty(), PackElements(views));
}

RowWriter& RowWriter::TextMap(std::string_view column, const OptionMap& entries) {
  std::vector<EntryView> views;
  for (const auto& [key, value] : entries) views.push_back({key, value});
  return Collection(column, entries.empty(), PackEntries(views));
}

RowWriter& RowWriter::Collection(std::string_view column, bool empty, std::string bytes) {
  const size_t position = Find(column);
  if (!empty || !columns_[position].type->is_multi_cell()) row_[position] = std::move(bytes);
  return *this;
}

RowWriter RowSet::Add() {
  rows_.emplace_back(columns_.size());
  return RowWriter(columns_, rows_.back());
}

bool IsWanted(const VirtualQuery& query, std::string_view key) {
  return !query.partition_keys.has_value() ||
         std::ranges::find(*query.partition_keys, key) != query.partition_keys->end();
}

}  // namespace orrery::cassandra
