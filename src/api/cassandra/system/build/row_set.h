// The rows of a virtual table while they are written, column by column and by name.
//
// Columns that are not written are null, and so is an empty set, list or map of a column that is
// not frozen: it has no cells. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/schema/column.h"
#include "api/cassandra/schema/table_options.h"
#include "api/cassandra/schema/virtual_table.h"
#include "base/clock.h"

namespace orrery::cassandra {

// One row. Valid until the next one is added to its set.
// REQUIRES (all setters): the table has the column, and it is of that type.
class RowWriter {
 public:
  RowWriter(std::span<const Column> columns, VirtualRow& row) : columns_(columns), row_(row) {}

  // A value that is encoded already: blobs, uuids.
  RowWriter& Bytes(std::string_view column, std::string_view value);
  RowWriter& Text(std::string_view column, std::string_view value) { return Bytes(column, value); }
  RowWriter& OptionalText(std::string_view column, const std::optional<std::string>& value);
  RowWriter& Boolean(std::string_view column, bool value);
  RowWriter& Int(std::string_view column, int64_t value);      // within an int, or its nearest end
  RowWriter& Bigint(std::string_view column, uint64_t value);  // likewise
  RowWriter& Double(std::string_view column, double value);
  RowWriter& Timestamp(std::string_view column, Micros unix_time);
  RowWriter& Inet(std::string_view column, const InetAddress& address);

  RowWriter& TextList(std::string_view column, std::span<const std::string> texts);
  RowWriter& TextSet(std::string_view column, const std::set<std::string>& texts);
  // Also of text to blob.
  RowWriter& TextMap(std::string_view column, const OptionMap& entries);

 private:
  RowWriter& Collection(std::string_view column, bool empty, std::string bytes);
  size_t Find(std::string_view column) const;

  std::span<const Column> columns_;
  VirtualRow& row_;
};

class RowSet {
 public:
  // `columns` must outlive it.
  explicit RowSet(std::span<const Column> columns) : columns_(columns) {}

  RowWriter Add();
  std::vector<VirtualRow> Take() && { return std::move(rows_); }

 private:
  std::span<const Column> columns_;
  std::vector<VirtualRow> rows_;
};

// Returns whether the query asks for this partition: for tables whose partition key is one column,
// of which `key` are the bytes.
bool IsWanted(const VirtualQuery& query, std::string_view key);

}  // namespace orrery::cassandra
