#include "api/cassandra/executor/write/found_rows.h"

#include <algorithm>

#include "api/cassandra/executor/row/key_values.h"

namespace orrery::cassandra {
namespace {

std::vector<ColumnUse> ColumnsToRead(const Table& table,
                                     std::span<const ModificationPlan* const> conditional) {
  bool all_statics = false;
  bool all_regulars = false;
  std::vector<ColumnUse> uses(table.columns.size());
  for (const ModificationPlan* plan : conditional) {
    all_statics = all_statics || !plan->static_operations.empty();
    all_regulars = all_regulars || !plan->only_statics;
    for (const Condition& condition : plan->conditions)
      uses[static_cast<size_t>(condition.column - table.columns.data())].value = true;
  }
  for (size_t place = 0; place < uses.size(); ++place) {
    const bool all = table.columns[place].is_static() ? all_statics : all_regulars;
    uses[place].value = uses[place].value || all;
  }
  return uses;
}

}  // namespace

bool Shows(const Table& table, const model::Row& row) {
  if (row.liveness.has_value()) return true;
  return std::ranges::any_of(row.cells, [&](const model::Cell& cell) {
    const Column* column = table.FindById(cell.column);
    return column != nullptr && !column->Hides(cell);
  });
}

FoundRows::FoundRows(const Table& table, std::span<const ModificationPlan* const> conditional)
    : table_(&table),
      assembler_(table, ColumnsToRead(table, conditional)),
      partition_(table.columns.size()) {}

CqlResult<FoundRows> FoundRows::Make(const Table& table,
                                     std::span<const ModificationPlan* const> conditional,
                                     std::string_view partition_key, const model::Row* statics) {
  FoundRows found(table, conditional);
  if (statics != nullptr) found.Assemble(*statics, found.partition_);
  const bool has_statics =
      std::ranges::any_of(found.partition_, [](const auto& value) { return value.has_value(); });
  CQL_ASSIGN(auto key, PartitionKeyValues(table, partition_key));
  std::ranges::move(key, found.partition_.begin());
  if (has_statics) found.static_only_.push_back(found.partition_);
  return found;
}

void FoundRows::Assemble(const model::Row& row, FoundRow& into) {
  assembler_.Begin(/*now_s=*/0);
  assembler_.AddVisible(row);
  for (size_t place = 0; place < into.size(); ++place) {
    const auto& value = assembler_.values().values[place];
    if (value.has_value()) into[place] = std::string(*value);
  }
}

CqlStatus FoundRows::Add(std::string_view clustering, const model::Row& row) {
  FoundRow found = partition_;
  if (!clustering.empty()) {
    CQL_ASSIGN(auto values, ClusteringValues(*table_, clustering));
    std::ranges::move(values, found.begin() + table_->partition_key_count);
  }
  Assemble(row, found);
  rows_.push_back(std::move(found));
  return {};
}

}  // namespace orrery::cassandra
