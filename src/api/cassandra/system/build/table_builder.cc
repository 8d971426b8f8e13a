#include "api/cassandra/system/build/table_builder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/cassandra/system/build/column_type.h"
#include "api/cassandra/system/build/table_id.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

class ComputedTable final : public VirtualTable {
 public:
  ComputedTable(std::vector<Column> columns, RowSource source)
      : columns_(std::move(columns)), source_(std::move(source)) {}

  CqlResult<std::vector<VirtualRow>> Rows(const VirtualQuery& query) const override {
    RowSet rows(columns_);
    CQL_TRY(source_(query, rows));
    return std::move(rows).Take();
  }

 private:
  const std::vector<Column> columns_;
  const RowSource source_;
};

uint32_t Count(const Table& table, ColumnKind kind) {
  return static_cast<uint32_t>(std::ranges::count(table.columns, kind, &Column::kind));
}

}  // namespace

TableBuilder::TableBuilder(std::string_view keyspace, std::string_view name,
                           std::string_view comment) {
  table_.id = SystemTableId(keyspace, name);
  table_.keyspace = keyspace;
  table_.name = name;
  table_.options.comment = comment;
}

TableBuilder& TableBuilder::Options(TableOptions options) {
  options.comment = std::move(table_.options.comment);
  table_.options = std::move(options);
  return *this;
}

TableBuilder& TableBuilder::PartitionKey(ColumnSpecs columns) {
  Add(columns, ColumnKind::kPartitionKey);
  return *this;
}

TableBuilder& TableBuilder::Clustering(ColumnSpecs columns) {
  Add(columns, ColumnKind::kClustering);
  return *this;
}

TableBuilder& TableBuilder::Regular(ColumnSpecs columns) {
  Add(columns, ColumnKind::kRegular);
  return *this;
}

void TableBuilder::Add(ColumnSpecs columns, ColumnKind kind) {
  for (const ColumnSpec& spec : columns) {
    Column column;
    column.name = spec.name;
    column.type = ColumnType(spec.type);
    column.kind = kind;
    if (column.is_key()) column.position = Count(table_, kind);
    table_.columns.push_back(std::move(column));
  }
}

TablePtr TableBuilder::Build(RowSource rows) {
  std::ranges::sort(table_.columns, [](const Column& a, const Column& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.is_key() ? a.position < b.position : a.name < b.name;
  });
  table_.partition_key_count = Count(table_, ColumnKind::kPartitionKey);
  table_.clustering_count = Count(table_, ColumnKind::kClustering);
  ORRERY_CHECK(table_.partition_key_count > 0);
  for (Column& column : table_.columns) {
    if (!column.is_key()) column.id = ++table_.highest_column_id;
  }
  table_.source = std::make_shared<const ComputedTable>(table_.columns, std::move(rows));
  return std::make_shared<const Table>(std::move(table_));
}

TablePtr TableBuilder::Empty() {
  return Build([](const VirtualQuery&, RowSet&) -> CqlStatus { return {}; });
}

}  // namespace orrery::cassandra
