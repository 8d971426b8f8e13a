#include "api/cassandra/protocol/response/result_columns.h"

#include <algorithm>

#include "api/cassandra/protocol/body/body_writer.h"

namespace orrery::cassandra {
namespace {

void AppendTable(std::string& out, const ColumnSpec& column) {
  AppendString(out, column.keyspace);
  AppendString(out, column.table);
}

}  // namespace

ResultColumns::ResultColumns(std::span<const ColumnSpec> columns, ProtocolVersion version)
    : count_(columns.size()) {
  if (columns.empty()) return;
  const ColumnSpec& first = columns.front();
  one_table_ = std::ranges::all_of(columns, [&](const ColumnSpec& column) {
    return column.keyspace == first.keyspace && column.table == first.table;
  });
  if (one_table_) AppendTable(bytes_, first);
  for (const ColumnSpec& column : columns) {
    if (!one_table_) AppendTable(bytes_, column);
    AppendString(bytes_, column.name);
    AppendType(bytes_, column.type, version);
  }
}

}  // namespace orrery::cassandra
