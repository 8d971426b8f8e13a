#include "api/cassandra/executor/write/applied_result.h"

#include <algorithm>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/schema/wire_form.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kApplied = "[applied]";

// The columns that tell why it was not applied: all of them when rows were to be there or not, else
// those that were compared.
std::vector<const Column*> ColumnsToShow(const Table& table,
                                         std::span<const ModificationPlan* const> plans,
                                         bool is_batch) {
  std::vector<const Column*> columns;
  const bool all = std::ranges::any_of(
      plans, [](const ModificationPlan* plan) { return plan->if_not_exists || plan->if_exists; });
  const auto add = [&](const Column& column) {
    if (std::ranges::find(columns, &column) == columns.end()) columns.push_back(&column);
  };
  for (const Column& column : table.columns) {
    if (all || (is_batch && column.is_key())) add(column);
  }
  for (const ModificationPlan* plan : plans) {
    for (const bool statics : {false, true}) {
      for (const Condition& condition : plan->conditions) {
        if (condition.column->is_static() == statics) add(*condition.column);
      }
    }
  }
  return columns;
}

ColumnSpec SpecOf(const Table& table, std::string name, const Type& type) {
  return {table.keyspace, table.name, std::move(name), WireTypeOf(type)};
}

void AppendApplied(std::string& cells, bool applied) {
  AppendBytes(cells, std::string_view(applied ? "\x01" : "\0", 1));
}

}  // namespace

RowsOutcome AppliedResult(const ModificationProgram& program,
                          std::span<const ModificationPlan* const> plans, bool is_batch) {
  const Table& table = program.table();
  std::vector<ColumnSpec> specs;
  specs.push_back(SpecOf(table, std::string(kApplied), *Type::Native(TypeKind::kBoolean)));
  RowsOutcome outcome;
  outcome.shape_varies = true;
  if (program.applied() || program.found().empty()) {
    AppendApplied(outcome.cells, program.applied());
    outcome.rows = 1;
    outcome.shape = std::make_shared<ColumnShape>(std::move(specs));
    return outcome;
  }
  const auto columns = ColumnsToShow(table, plans, is_batch);
  for (const Column* column : columns) specs.push_back(SpecOf(table, column->name, *column->type));
  for (const FoundRow& row : program.found()) {
    AppendApplied(outcome.cells, false);
    for (const Column* column : columns) {
      const auto& value = row[static_cast<size_t>(column - table.columns.data())];
      if (value.has_value()) {
        AppendBytes(outcome.cells, *value);
      } else {
        AppendNullBytes(outcome.cells);
      }
    }
    ++outcome.rows;
  }
  outcome.shape = std::make_shared<ColumnShape>(std::move(specs));
  return outcome;
}

}  // namespace orrery::cassandra
