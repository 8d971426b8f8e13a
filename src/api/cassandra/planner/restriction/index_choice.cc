#include "api/cassandra/planner/restriction/index_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/planner/restriction/clustering_range.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {
namespace {

using ast::IndexTargetKind;

bool ServesEquality(const Index& index, const Column& column) {
  if (column.type->is_multi_cell() ||
      (index.target != IndexTargetKind::kColumn && index.target != IndexTargetKind::kFull))
    return false;
  const std::optional<SasiIndex> sasi = SasiIndexOf(column, index);
  return !sasi.has_value() || (sasi->supports_equality() && sasi->keeps_values());
}

bool Supports(const SasiIndex& sasi, const ColumnRestriction& restriction) {
  switch (restriction.kind) {
    case ColumnRestriction::Kind::kEqual:
      return sasi.supports_equality();
    case ColumnRestriction::Kind::kSlice:
      return sasi.supports_ranges();
    case ColumnRestriction::Kind::kLike:
      return sasi.supports_like();
    case ColumnRestriction::Kind::kIn:
    case ColumnRestriction::Kind::kContains:
      break;
  }
  return false;
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
    // A pattern may be a value.
    if (restriction.is_like() && index.column == restriction.first().name &&
        SasiIndexOf(restriction.first(), index) == restriction.sasi &&
        restriction.sasi->keeps_values())
      return IndexChoice{&index, &restriction, 0};
    for (size_t i = 0;
         restriction.is_equal() && !restriction.sasi.has_value() && i < restriction.columns.size();
         ++i) {
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

bool HasSupportingIndex(const Table& table, const ColumnRestriction& restriction) {
  if (ChooseIndex(table, restriction).has_value()) return true;
  if (restriction.columns.size() > 1) return false;
  return std::ranges::any_of(table.indexes, [&](const Index& index) {
    if (!index.built || index.column != restriction.first().name) return false;
    const std::optional<SasiIndex> sasi = SasiIndexOf(restriction.first(), index);
    return sasi.has_value() && Supports(*sasi, restriction);
  });
}

std::optional<SasiIndex> FindSasi(const Table& table, const Column& column) {
  for (const Index& index : table.indexes) {
    if (!index.built || index.column != column.name) continue;
    std::optional<SasiIndex> sasi = SasiIndexOf(column, index);
    if (sasi.has_value()) return sasi;
  }
  return std::nullopt;
}

CqlResult<std::optional<item::RowScanRequest::Index>> BindIndex(const IndexChoice& choice,
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
  std::string value;
  if (restriction.is_like()) {
    CQL_ASSIGN(LikePattern pattern, BindLike(restriction, evaluation));
    if (pattern.kind != LikeKind::kMatches) return std::nullopt;
    value = std::move(pattern.text);
  } else {
    CQL_ASSIGN(std::vector<TermValue> values, restriction.equal.Evaluate(evaluation));
    CQL_ASSIGN(value, Require(std::move(values[choice.component]), column));
  }
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
