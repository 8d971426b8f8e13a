// From a planned statement and its values to keys and operations.
#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/function/function_context.h"
#include "api/cassandra/planner/modification/modification_plan.h"
#include "api/cassandra/planner/restriction/index_choice.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/json/json.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

// Of all clustering columns of a row together, as in Cassandra.
constexpr size_t kClusteringBytesMax = 65'535;

// The values of an INSERT, by the columns' place in the table; nothing for columns it leaves alone.
using ColumnValues = std::vector<TermValue>;

CqlResult<ColumnValues> JsonValues(const ModificationPlan& plan, const Evaluation& evaluation) {
  CQL_ASSIGN(const TermValue text, plan.json->Evaluate(evaluation));
  if (text.is_unset()) return Invalid("Got unset value for INSERT JSON values");
  if (text.is_null()) return Invalid("Got null for INSERT JSON values");
  CQL_ASSIGN(const std::vector<JsonMember> members, ParseJsonRow(text.bytes));
  const Table& table = *plan.table;
  ColumnValues values(table.columns.size(),
                      plan.json_unset ? TermValue::Unset() : TermValue::Null());
  for (const JsonMember& member : members) {
    const Column* column = table.Find(member.name);
    if (column == nullptr) {
      return Invalid(fmt::format("JSON values map contains unrecognized column: {}", member.name));
    }
    auto value = FromJson(*column->type, member.value, evaluation.functions->now_ms());
    if (!value.has_value()) {
      return Invalid(fmt::format("Error decoding JSON value for {}: {}", column->name,
                                 value.error().message()));
    }
    values[static_cast<size_t>(column - table.columns.data())] = TermValue::From(*std::move(value));
  }
  return values;
}

CqlStatus CheckKeyValue(const Column& column, const TermValue& value) {
  if (value.is_null())
    return Invalid(fmt::format("Invalid null value in condition for column {}", column.name));
  if (value.is_unset())
    return Invalid(fmt::format("Invalid unset value for column {}", column.name));
  return {};
}

CqlResult<std::string> PartitionKeyOf(std::span<const Column> columns,
                                      std::span<const TermValue> values) {
  std::vector<std::string_view> components;
  for (size_t i = 0; i < columns.size(); ++i) {
    CQL_TRY(CheckKeyValue(columns[i], values[i]));
    components.emplace_back(values[i].bytes);
  }
  if (components.size() == 1) {
    if (components[0].empty()) return Invalid("Key may not be empty");
    return std::string(components[0]);
  }
  CQL_ASSIGN(std::string key, gateway::JoinKeyComponents(components));
  return key;
}

CqlResult<ClusteringRange> RowOf(const Table& table, std::span<const TermValue> values) {
  const auto columns = table.clustering().first(values.size());
  std::string key;
  size_t bytes = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    CQL_TRY(CheckKeyValue(columns[i], values[i]));
    CQL_TRY(CheckCellName(table, columns[i], values[i].bytes));
    bytes += values[i].bytes.size();
    if (bytes > kClusteringBytesMax) {
      return Invalid(
          fmt::format("Key length of {} is longer than maximum of {}", bytes, kClusteringBytesMax));
    }
    CQL_TRY(AppendClustering(key, columns[i], values[i].bytes));
  }
  return RowsOf(std::move(key), /*is_whole_key=*/true);
}

CqlResult<std::vector<TermValue>> EvaluateAll(const std::vector<ExpressionPtr>& terms,
                                              const Evaluation& evaluation) {
  std::vector<TermValue> values;
  values.reserve(terms.size());
  for (const ExpressionPtr& term : terms) {
    CQL_ASSIGN(TermValue value, term->Evaluate(evaluation));
    values.push_back(std::move(value));
  }
  return values;
}

CqlStatus BindInsertKeys(BoundModification& bound, std::span<const TermValue> partition_key,
                         std::span<const TermValue> clustering) {
  const Table& table = *bound.plan->table;
  CQL_ASSIGN(std::string key, PartitionKeyOf(table.partition_key(), partition_key));
  bound.partition_keys.push_back(std::move(key));
  if (bound.plan->only_statics) return {};
  CQL_ASSIGN(ClusteringRange row, RowOf(table, clustering));
  bound.rows.push_back(std::move(row));
  return {};
}

CqlStatus BindJson(BoundModification& bound, const Evaluation& evaluation) {
  const ModificationPlan& plan = *bound.plan;
  CQL_ASSIGN(const ColumnValues values, JsonValues(plan, evaluation));
  const auto all = std::span(values);
  CQL_TRY(
      BindInsertKeys(bound, all.first(plan.table->partition_key_count),
                     all.subspan(plan.table->partition_key_count, plan.table->clustering_count)));
  const auto bind = [&](const std::vector<ColumnOperation>& operations,
                        std::vector<BoundOperation>& out) {
    for (const ColumnOperation& operation : operations) {
      const auto place = static_cast<size_t>(operation.column - plan.table->columns.data());
      if (values[place].is_unset()) continue;
      out.push_back({&operation, TermValue::Null(), values[place]});
    }
  };
  bind(plan.static_operations, bound.static_operations);
  bind(plan.row_operations, bound.row_operations);
  return {};
}

// Returns the size of the value that the index has of an element: Cassandra joins the two of an
// entry, each with its length and a zero.
size_t IndexedBytes(ast::IndexTargetKind target, std::string_view key, std::string_view value) {
  constexpr size_t kAroundComponent = 3;
  switch (target) {
    case ast::IndexTargetKind::kKeys:
      return key.size();
    case ast::IndexTargetKind::kEntries:
      return key.size() + value.size() + 2 * kAroundComponent;
    default:
      return value.size();
  }
}

// The size of the largest value that the index has of what is written.
size_t LargestIndexed(const Index& index, const BoundOperation& bound) {
  const Type& type = *bound.operation->column->type;
  const std::string_view value = bound.value.bytes;
  const OperationKind kind = bound.operation->kind;
  if (!bound.value.has_value()) return 0;
  if (!type.is_multi_cell()) return kind == OperationKind::kSet ? value.size() : 0;
  if (kind == OperationKind::kPutElement) return IndexedBytes(index.target, bound.key.bytes, value);
  if (kind != OperationKind::kSet && kind != OperationKind::kAppend &&
      kind != OperationKind::kPrepend)
    return 0;
  size_t largest = 0;
  if (type.kind() == TypeKind::kMap) {
    const auto entries = UnpackEntries(value);
    for (size_t i = 0; entries.has_value() && i < entries->size(); ++i) {
      const auto& [key, element] = (*entries)[i];
      largest = std::max(largest, IndexedBytes(index.target, key, element));
    }
    return largest;
  }
  if (!type.is_collection()) return 0;
  const auto elements = UnpackElements(type, value);
  for (size_t i = 0; elements.has_value() && i < elements->size(); ++i)
    largest = std::max(largest, (*elements)[i].size());
  return largest;
}

// Checks that indexed values are not too long for their index.
CqlStatus CheckIndexed(const Table& table, const std::vector<BoundOperation>& operations) {
  for (const Index& index : table.indexes) {
    if (index.is_custom) continue;
    for (const BoundOperation& bound : operations) {
      const Column& column = *bound.operation->column;
      if (column.name != index.column) continue;
      const size_t bytes = LargestIndexed(index, bound);
      if (bytes < kIndexValueBytesMax) continue;
      return Invalid(fmt::format(
          "Cannot index value of size {} for index {} on {}.{}({}) (maximum allowed size={})",
          bytes, index.name, table.keyspace, table.name, column.name, kIndexValueBytesMax));
    }
  }
  return {};
}

CqlResult<BoundModification> Bind(const ModificationPlan& plan, const Evaluation& evaluation) {
  BoundModification bound;
  bound.plan = &plan;
  CQL_ASSIGN(bound.attributes, BindAttributes(plan.attributes, evaluation));
  CQL_ASSIGN(bound.conditions, BindConditions(plan.conditions, evaluation));
  if (plan.json != nullptr) {
    CQL_TRY(BindJson(bound, evaluation));
    return bound;
  }
  CQL_ASSIGN(bound.static_operations, BindOperations(plan.static_operations, evaluation));
  CQL_ASSIGN(bound.row_operations, BindOperations(plan.row_operations, evaluation));
  if (plan.kind == ModificationPlan::Kind::kInsert) {
    CQL_ASSIGN(const auto partition_key, EvaluateAll(plan.partition_key, evaluation));
    CQL_ASSIGN(const auto clustering, EvaluateAll(plan.clustering, evaluation));
    CQL_TRY(BindInsertKeys(bound, partition_key, clustering));
    return bound;
  }
  CQL_ASSIGN(BoundKeys keys, plan.restrictions->Bind(evaluation));
  if (keys.none || !keys.partition_keys.has_value()) return bound;
  bound.partition_keys = *std::move(keys.partition_keys);
  if (!plan.only_statics) bound.rows = std::move(keys.ranges);
  return bound;
}

}  // namespace

CqlResult<BoundModification> BindModification(const ModificationPlan& plan,
                                              const Evaluation& evaluation) {
  CQL_ASSIGN(BoundModification bound, Bind(plan, evaluation));
  CQL_TRY(CheckIndexed(*plan.table, bound.static_operations));
  CQL_TRY(CheckIndexed(*plan.table, bound.row_operations));
  return bound;
}

}  // namespace orrery::cassandra
