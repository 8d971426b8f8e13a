#include "api/cassandra/planner/restriction/index_choice.h"

#include <fmt/format.h>

#include "api/cassandra/planner/restriction/clustering_range.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {
namespace {

using ast::IndexTargetKind;

bool ServesEquality(const Index& index, const Column& column) {
  return !column.type->is_multi_cell() &&
         (index.target == IndexTargetKind::kColumn || index.target == IndexTargetKind::kFull);
}

bool ServesTest(const Index& index, const ContainsTest& test) {
  if (test.key != nullptr && test.value != nullptr)
    return index.target == IndexTargetKind::kEntries;
  if (test.key != nullptr) return index.target == IndexTargetKind::kKeys;
  return index.target == IndexTargetKind::kValues || index.target == IndexTargetKind::kColumn;
}

CqlResult<std::string> Require(TermValue value, const Column& column) {
  if (value.is_null())
    return Invalid(fmt::format("Unsupported null value for column {}", column.name));
  if (value.is_unset())
    return Invalid(fmt::format("Unsupported unset value for column {}", column.name));
  if (value.bytes.size() > kIndexValueBytesMax)
    return Invalid("Index expression values may not be larger than 64K");
  return std::move(value.bytes);
}

CqlResult<std::string> BindTest(const ContainsTest& test, const Column& column,
                                const Evaluation& evaluation) {
  std::string key;
  std::string value;
  if (test.key != nullptr) {
    CQL_ASSIGN(TermValue bound, test.key->Evaluate(evaluation));
    CQL_ASSIGN(key, Require(std::move(bound), column));
  }
  if (test.value == nullptr) return item::RowTermValue(key);
  CQL_ASSIGN(TermValue bound, test.value->Evaluate(evaluation));
  CQL_ASSIGN(value, Require(std::move(bound), column));
  return test.key != nullptr ? item::RowTermValue(key, value) : item::RowTermValue(value);
}

}  // namespace

std::optional<IndexChoice> ChooseIndex(const Table& table, const ColumnRestriction& restriction) {
  for (const Index& index : table.indexes) {
    if (!index.built) continue;
    for (size_t i = 0; restriction.is_equal() && i < restriction.columns.size(); ++i) {
      const Column& column = *restriction.columns[i];
      if (index.column == column.name && ServesEquality(index, column))
        return IndexChoice{&index, &restriction, i};
    }
    for (size_t i = 0; i < restriction.contains.size(); ++i) {
      if (index.column == restriction.first().name && ServesTest(index, restriction.contains[i]))
        return IndexChoice{&index, &restriction, i};
    }
  }
  return std::nullopt;
}

CqlResult<item::RowScanRequest::Index> BindIndex(const IndexChoice& choice,
                                                 const Evaluation& evaluation) {
  item::RowScanRequest::Index index;
  index.id = item::NamedIndexId(choice.index->id);
  const ColumnRestriction& restriction = *choice.restriction;
  if (restriction.is_contains()) {
    CQL_ASSIGN(index.value,
               BindTest(restriction.contains[choice.component], restriction.first(), evaluation));
    return index;
  }
  const Column& column = *restriction.columns[choice.component];
  CQL_ASSIGN(std::vector<TermValue> values, restriction.equal.Evaluate(evaluation));
  CQL_ASSIGN(std::string value, Require(std::move(values[choice.component]), column));
  if (column.is_clustering()) {
    // Entries hold the component as the key has it.
    std::string component;
    CQL_TRY(AppendClustering(component, column, value));
    value = std::move(component);
  }
  index.value = item::RowTermValue(value);
  return index;
}

}  // namespace orrery::cassandra
