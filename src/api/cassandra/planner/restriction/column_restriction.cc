#include "api/cassandra/planner/restriction/column_restriction.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra {
namespace {

// "b ,c": Cassandra's spelling.
std::string CommonColumns(const ColumnRestriction& a, const ColumnRestriction& b) {
  std::string names;
  for (const Column* column : a.columns) {
    if (std::ranges::find(b.columns, column) == b.columns.end()) continue;
    if (!names.empty()) names += " ,";
    names += column->name;
  }
  return names;
}

std::string ListOfColumns(const ColumnRestriction& restriction) {
  std::string names;
  for (const Column* column : restriction.columns) {
    if (!names.empty()) names += ", ";
    names += column->name;
  }
  return names;
}

CqlResult<ColumnRestriction> MergeSlices(ColumnRestriction first, ColumnRestriction second) {
  const std::string common = CommonColumns(first, second);
  if (!second.is_slice()) {
    return Invalid(fmt::format(
        "Column \"{}\" cannot be restricted by both an equality and an inequality relation",
        common));
  }
  if (&first.first() != &second.first()) {
    const Column& later =
        first.first().position > second.first().position ? first.first() : second.first();
    return Invalid(fmt::format(
        "Column \"{}\" cannot be restricted by two inequalities not starting with the same column",
        later.name));
  }
  if (first.lower.has_value() && second.lower.has_value()) {
    return Invalid(
        fmt::format("More than one restriction was found for the start bound on {}", common));
  }
  if (first.upper.has_value() && second.upper.has_value()) {
    return Invalid(
        fmt::format("More than one restriction was found for the end bound on {}", common));
  }
  if (second.columns.size() > first.columns.size()) first.columns = std::move(second.columns);
  first.is_tuple = first.is_tuple || second.is_tuple;
  if (second.lower.has_value()) first.lower = std::move(second.lower);
  if (second.upper.has_value()) first.upper = std::move(second.upper);
  return first;
}

// A list as an IN marker has it, with nulls left in it for better words than the type's.
CqlResult<std::vector<std::optional<std::string_view>>> UnpackIn(const TermValue& list,
                                                                 const Column& column) {
  if (list.is_null()) return Invalid(fmt::format("Invalid null value for column {}", column.name));
  if (list.is_unset())
    return Invalid(fmt::format("Invalid unset value for column {}", column.name));
  CQL_ASSIGN(auto elements, UnpackNullableList(list.bytes));
  return elements;
}

TermValue BoundBytes(const Expression& term, const Evaluation& evaluation) {
  const BoundValue& value = evaluation.values[*term.marker()];
  if (value.is_null()) return TermValue::Null();
  if (value.is_unset()) return TermValue::Unset();
  return TermValue::Of(std::string(value.bytes));
}

// One element of an IN marker's list as values of the columns.
CqlResult<std::vector<TermValue>> ValuesIn(const ColumnRestriction& restriction, const Type& type,
                                           const NullableView& element) {
  std::vector<TermValue> values(restriction.columns.size());
  if (!element.has_value()) return values;
  CQL_TRY(Validate(type, *element));
  if (!restriction.is_tuple) {
    values.front() = TermValue::Of(std::string(*element));
    return values;
  }
  CQL_ASSIGN(const auto parts, UnpackComponents(type, *element));
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].has_value()) values[i] = TermValue::Of(std::string(*parts[i]));
  }
  return values;
}

// Refuses null and unset.
CqlResult<std::vector<std::string>> BytesOf(const ColumnRestriction& restriction,
                                            std::vector<TermValue> values) {
  std::vector<std::string> bytes;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string& column = restriction.columns[i]->name;
    if (values[i].is_unset())
      return Invalid(fmt::format("Invalid unset value for column {}", column));
    if (values[i].is_null() && restriction.is_tuple && restriction.is_in()) {
      return Invalid(fmt::format("Invalid null value in condition for columns: [{}]",
                                 ListOfColumns(restriction)));
    }
    if (values[i].is_null())
      return Invalid(fmt::format("Invalid null value in condition for column {}", column));
    bytes.push_back(std::move(values[i].bytes));
  }
  return bytes;
}

}  // namespace

CqlResult<std::vector<TermValue>> ComparedValue::Evaluate(const Evaluation& evaluation) const {
  std::vector<TermValue> values;
  if (!is_whole_tuple) {
    values.reserve(components.size());
    for (const ExpressionPtr& component : components) {
      CQL_ASSIGN(TermValue value, component->Evaluate(evaluation));
      values.push_back(std::move(value));
    }
    return values;
  }
  const Expression& tuple = *components.front();
  CQL_ASSIGN(const TermValue whole, tuple.Evaluate(evaluation));
  if (!whole.has_value()) {
    values.resize(tuple.type()->parameters().size(),
                  whole.is_unset() ? TermValue::Unset() : TermValue::Null());
    return values;
  }
  CQL_ASSIGN(const auto parts, UnpackComponents(*tuple.type(), whole.bytes));
  for (const NullableView& part : parts) {
    values.push_back(part.has_value() ? TermValue::Of(std::string(*part)) : TermValue::Null());
  }
  return values;
}

CqlResult<std::vector<std::vector<std::string>>> ColumnRestriction::EvaluateEach(
    const Evaluation& evaluation) const {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](CqlResult<std::vector<TermValue>> evaluated) -> CqlStatus {
    CQL_ASSIGN(std::vector<TermValue> values, std::move(evaluated));
    CQL_ASSIGN(std::vector<std::string> row, BytesOf(*this, std::move(values)));
    rows.push_back(std::move(row));
    return {};
  };
  if (is_equal()) {
    CQL_TRY(add(equal.Evaluate(evaluation)));
    return rows;
  }
  for (const ComparedValue& value : in) CQL_TRY(add(value.Evaluate(evaluation)));
  if (in_marker == nullptr) return rows;
  const TermValue list = BoundBytes(*in_marker, evaluation);
  CQL_ASSIGN(const auto elements, UnpackIn(list, first()));
  for (const NullableView& element : elements)
    CQL_TRY(add(ValuesIn(*this, in_marker->type()->element(), element)));
  return rows;
}

CqlResult<std::vector<std::string>> ColumnRestriction::EvaluateBound(
    const SliceBound& bound, const Evaluation& evaluation) const {
  CQL_ASSIGN(std::vector<TermValue> values, bound.value.Evaluate(evaluation));
  return BytesOf(*this, std::move(values));
}

CqlResult<LikePattern> BindLike(const ColumnRestriction& restriction,
                                const Evaluation& evaluation) {
  const Column& column = restriction.first();
  CQL_ASSIGN(const TermValue value, restriction.like->Evaluate(evaluation));
  if (value.is_null())
    return Invalid(fmt::format("Unsupported null value for column {}", column.name));
  if (value.is_unset())
    return Invalid(fmt::format("Unsupported unset value for column {}", column.name));
  constexpr char kAnything = '%';
  std::string_view text = value.bytes;
  const bool open_end = text.ends_with(kAnything);
  const bool open_begin = text.starts_with(kAnything);
  LikePattern pattern;
  pattern.kind = open_begin && open_end ? LikeKind::kContains
                 : open_begin           ? LikeKind::kSuffix
                 : open_end             ? LikeKind::kPrefix
                                        : LikeKind::kMatches;
  if (open_begin) text.remove_prefix(1);
  if (open_end && !text.empty()) text.remove_suffix(1);
  if (text.empty()) return Invalid("LIKE value can't be empty.");
  pattern.text = text;
  if (!restriction.sasi->supports(pattern.kind)) {
    return Invalid(fmt::format("{} {} {} is only supported on properly indexed columns",
                               column.name, LikeKindName(pattern.kind), text));
  }
  return pattern;
}

CqlResult<ColumnRestriction> Merge(ColumnRestriction first, ColumnRestriction second) {
  switch (first.kind) {
    case ColumnRestriction::Kind::kLike:
      return Invalid(
          fmt::format("{} cannot be restricted by more than one relation if it includes a LIKE",
                      CommonColumns(first, second)));
    case ColumnRestriction::Kind::kEqual:
      return Invalid(
          fmt::format("{} cannot be restricted by more than one relation if it includes an Equal",
                      CommonColumns(first, second)));
    case ColumnRestriction::Kind::kIn:
      return Invalid(
          fmt::format("{} cannot be restricted by more than one relation if it includes a IN",
                      CommonColumns(first, second)));
    case ColumnRestriction::Kind::kSlice:
      return MergeSlices(std::move(first), std::move(second));
    case ColumnRestriction::Kind::kContains:
      break;
  }
  if (!second.is_contains()) {
    return Invalid(fmt::format(
        "Collection column {} can only be restricted by CONTAINS, CONTAINS KEY, or map-entry "
        "equality",
        first.first().name));
  }
  std::ranges::move(second.contains, std::back_inserter(first.contains));
  return first;
}

}  // namespace orrery::cassandra
