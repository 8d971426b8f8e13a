#include "api/cassandra/planner/modification/modification_plan.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/modification/operation_planner.h"
#include "api/cassandra/schema/compact_storage.h"

namespace orrery::cassandra {
namespace {

Receiver TableReceiver(const Table& table) { return {table.keyspace, table.name, "", nullptr}; }

CqlStatus CheckWritable(const Table& table) {
  if (table.view.has_value()) return Invalid("Cannot directly modify a materialized view");
  if (table.source != nullptr) {
    return Invalid(
        fmt::format("Modification is not supported by table {}.{}", table.keyspace, table.name));
  }
  return {};
}

CqlStatus CheckAttributes(const ModificationPlan& plan) {
  if (plan.table->is_counter) {
    if (plan.attributes.timestamp != nullptr)
      return Invalid("Cannot provide custom timestamp for counter updates");
    if (plan.attributes.ttl != nullptr)
      return Invalid("Cannot provide custom TTL for counter updates");
    if (plan.is_conditional())
      return Invalid("Conditional updates are not supported on counter tables");
  }
  if (plan.is_conditional() && plan.attributes.timestamp != nullptr)
    return Invalid("Cannot provide custom timestamp for conditional updates");
  return {};
}

void AddOperation(ModificationPlan& plan, ColumnOperation operation) {
  auto& operations = operation.column->is_static() ? plan.static_operations : plan.row_operations;
  operations.push_back(std::move(operation));
}

CqlStatus PlanConditions(ModificationPlan& plan, const ast::IfClause& clause, TermPlanner& terms) {
  plan.if_exists = clause.exists;
  for (const ast::Condition& condition : clause.conditions) {
    CQL_ASSIGN(Condition planned, PlanCondition(*plan.table, condition, terms));
    plan.conditions.push_back(std::move(planned));
  }
  return {};
}

// REQUIRES: operations and conditions are planned.
CqlStatus PlanWhere(ModificationPlan& plan, const ast::WhereClause& where, TermPlanner& terms,
                    Variables& variables) {
  const bool only_statics = !plan.deletes_rows() && plan.row_operations.empty() &&
                            std::ranges::all_of(plan.conditions, [](const Condition& each) {
                              return each.column->is_static();
                            });
  const StatementKind kind = plan.kind == ModificationPlan::Kind::kUpdate ? StatementKind::kUpdate
                                                                          : StatementKind::kDelete;
  CQL_ASSIGN(plan.restrictions,
             PlanRestrictions(plan.table, where, {kind, only_statics, /*allow_filtering=*/false},
                              terms, variables));
  plan.only_statics =
      only_statics && !plan.restrictions->has_clustering() && plan.table->clustering_count != 0;
  return {};
}

// Checks that WHERE of a conditional statement names one row, or one partition when all of it is
// static.
CqlStatus CheckConditionalKeys(const ModificationPlan& plan) {
  if (!plan.is_conditional()) return {};
  const Restrictions& where = *plan.restrictions;
  const bool update = plan.kind == ModificationPlan::Kind::kUpdate;
  const char* const what = update ? "updates" : "deletions";
  if (where.partition_key_has_in())
    return Invalid(
        fmt::format("IN on the partition key is not supported with conditional {}", what));
  if (where.clustering_has_in()) {
    return Invalid(
        fmt::format("IN on the clustering key columns is not supported with conditional {}", what));
  }
  if (update || where.names_one_row()) return {};
  const bool static_conditions =
      !plan.conditions.empty() && std::ranges::all_of(plan.conditions, [](const Condition& each) {
        return each.column->is_static();
      });
  if (!plan.deletes_rows() && plan.row_operations.empty() &&
      (static_conditions || plan.conditions.empty())) {
    return {};
  }
  for (const Column& column : plan.table->clustering()) {
    if (!where.IsEqual(column)) {
      return Invalid(
          "DELETE statements must restrict all PRIMARY KEY columns with equality relations in "
          "order to delete non static columns");
    }
  }
  return {};
}

std::string Names(const std::vector<const Column*>& columns) {
  std::vector<std::string_view> names;
  for (const Column* column : columns) names.emplace_back(column->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Finds the key columns that an INSERT does not give.
CqlStatus CheckInsertKeys(ModificationPlan& plan, const std::set<const Column*>& given) {
  const Table& table = *plan.table;
  const auto missing = [&](std::span<const Column> columns) {
    std::vector<const Column*> result;
    for (const Column& column : columns) {
      if (!given.contains(&column)) result.push_back(&column);
    }
    return result;
  };
  if (const auto columns = missing(table.partition_key()); !columns.empty())
    return Invalid(fmt::format("Some partition key parts are missing: {}", Names(columns)));
  const auto columns = missing(table.clustering());
  if (columns.empty()) return {};
  if (table.is_dense() && columns.size() < table.clustering_count) {
    const size_t first = columns.front()->position;
    plan.clustering.resize(first);
    if (first + columns.size() == table.clustering_count) return {};
    const auto later =
        std::ranges::find_if(table.clustering().subspan(first),
                             [&](const Column& column) { return given.contains(&column); });
    return SkipsColumn(*later, *columns.front());
  }
  const bool none_given = columns.size() == table.clustering_count;
  if (none_given && !plan.static_operations.empty() && plan.row_operations.empty()) {
    plan.only_statics = true;
    return {};
  }
  return Invalid(fmt::format("Some clustering keys are missing: {}", Names(columns)));
}

}  // namespace

bool ModificationPlan::has_row_conditions() const {
  if (only_statics) return false;
  const auto is_static = [](const Condition& each) { return each.column->is_static(); };
  return if_exists || if_not_exists || !std::ranges::all_of(conditions, is_static);
}

bool ModificationPlan::reads() const {
  const auto reads = [](const ColumnOperation& each) { return each.reads(); };
  return is_conditional() || std::ranges::any_of(row_operations, reads) ||
         std::ranges::any_of(static_operations, reads);
}

CqlResult<ModificationPlan> PlanInsert(const ast::Insert& insert, TablePtr table,
                                       const ModificationScope& scope) {
  CQL_TRY(CheckWritable(*table));
  if (table->is_counter)
    return Invalid("INSERT statements are not allowed on counter tables, use UPDATE instead");
  if (insert.columns.empty())
    return Invalid("Columns for INSERT cannot be null. Use the INSERT JSON statement");
  if (insert.columns.size() != insert.values.size())
    return Invalid("Unmatched column names/values");
  TermPlanner terms(scope.terms, scope.variables);
  OperationPlanner operations(*table, terms);
  ModificationPlan plan;
  plan.table = table;
  plan.partition_key.resize(table->partition_key_count);
  plan.clustering.resize(table->clustering_count);
  std::set<const Column*> given;
  for (size_t i = 0; i < insert.columns.size(); ++i) {
    const Column* column = table->Find(insert.columns[i].text);
    if (column == nullptr) {
      return Invalid(fmt::format("Undefined column name {} in table {}.{}",
                                 PrintName(insert.columns[i].text), table->keyspace, table->name));
    }
    if (!given.insert(column).second) return Invalid("The column names contains duplicates");
    if (!column->is_key()) {
      CQL_ASSIGN(ColumnOperation operation, operations.PlanInsertion(*column, insert.values[i]));
      AddOperation(plan, std::move(operation));
      continue;
    }
    auto& keys = column->is_partition_key() ? plan.partition_key : plan.clustering;
    CQL_ASSIGN(keys[column->position], operations.PlanColumnValue(*column, insert.values[i]));
    if (const auto marker = keys[column->position]->marker();
        marker.has_value() && column->is_partition_key()) {
      scope.variables.SetPartitionKey(*marker, column->position);
    }
  }
  CQL_TRY(CheckInsertKeys(plan, given));
  if (table->is_static_compact() && plan.row_operations.empty()) {
    return Invalid(
        fmt::format("Some clustering keys are missing: {}", HiddenColumns(*table).front().name));
  }
  if (table->is_compact && !table->regulars().empty() && plan.row_operations.empty()) {
    return Invalid(fmt::format("Column {} is mandatory for this COMPACT STORAGE table",
                               table->regulars().front().name));
  }
  if (plan.only_statics) plan.clustering.clear();
  plan.if_not_exists = insert.if_not_exists;
  CQL_ASSIGN(plan.attributes, PlanAttributes(insert.attributes, TableReceiver(*table), terms));
  CQL_TRY(CheckAttributes(plan));
  return plan;
}

CqlResult<ModificationPlan> PlanInsertJson(const ast::InsertJson& insert, TablePtr table,
                                           const ModificationScope& scope) {
  CQL_TRY(CheckWritable(*table));
  if (table->is_counter)
    return Invalid("INSERT statements are not allowed on counter tables, use UPDATE instead");
  TermPlanner terms(scope.terms, scope.variables);
  ModificationPlan plan;
  plan.table = table;
  plan.json_unset = insert.default_unset;
  CQL_ASSIGN(plan.json, terms.PlanValue(insert.json, PartOf(TableReceiver(*table), "[json]",
                                                            Type::Native(TypeKind::kText))));
  for (const Column& column : table->columns) {
    if (column.is_key()) continue;
    ColumnOperation operation;
    operation.column = &column;
    AddOperation(plan, std::move(operation));
  }
  plan.if_not_exists = insert.if_not_exists;
  CQL_ASSIGN(plan.attributes, PlanAttributes(insert.attributes, TableReceiver(*table), terms));
  CQL_TRY(CheckAttributes(plan));
  return plan;
}

CqlResult<ModificationPlan> PlanUpdate(const ast::Update& update, TablePtr table,
                                       const ModificationScope& scope) {
  CQL_TRY(CheckWritable(*table));
  TermPlanner terms(scope.terms, scope.variables);
  OperationPlanner operations(*table, terms);
  ModificationPlan plan;
  plan.table = table;
  plan.kind = ModificationPlan::Kind::kUpdate;
  CQL_ASSIGN(plan.attributes, PlanAttributes(update.attributes, TableReceiver(*table), terms));
  for (const ast::Assignment& assignment : update.assignments) {
    CQL_ASSIGN(ColumnOperation operation, operations.PlanAssignment(assignment));
    AddOperation(plan, std::move(operation));
  }
  CQL_TRY(PlanConditions(plan, update.conditions, terms));
  CQL_TRY(CheckAttributes(plan));
  CQL_TRY(PlanWhere(plan, update.where, terms, scope.variables));
  CQL_TRY(CheckConditionalKeys(plan));
  return plan;
}

CqlResult<ModificationPlan> PlanDelete(const ast::Delete& deletion, TablePtr table,
                                       const ModificationScope& scope) {
  CQL_TRY(CheckWritable(*table));
  TermPlanner terms(scope.terms, scope.variables);
  OperationPlanner operations(*table, terms);
  ModificationPlan plan;
  plan.table = table;
  plan.kind = ModificationPlan::Kind::kDelete;
  CQL_ASSIGN(plan.attributes, PlanAttributes(deletion.attributes, TableReceiver(*table), terms));
  for (const ast::Deletion& each : deletion.deletions) {
    CQL_ASSIGN(ColumnOperation operation, operations.PlanDeletion(each));
    AddOperation(plan, std::move(operation));
  }
  CQL_TRY(PlanConditions(plan, deletion.conditions, terms));
  CQL_TRY(CheckAttributes(plan));
  CQL_TRY(PlanWhere(plan, deletion.where, terms, scope.variables));
  CQL_TRY(CheckConditionalKeys(plan));
  if (!plan.row_operations.empty()) {
    for (const Column& column : table->clustering()) {
      if (plan.restrictions->IsEqual(column) || plan.restrictions->clustering_has_in()) continue;
      return Invalid("Range deletions are not supported for specific columns");
    }
  }
  return plan;
}

}  // namespace orrery::cassandra
