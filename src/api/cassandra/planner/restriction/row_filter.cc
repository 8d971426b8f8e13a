#include "api/cassandra/planner/restriction/row_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"

namespace orrery::cassandra {
namespace {

CqlResult<std::string> Require(TermValue value, const Column& column, std::string_view what) {
  if (value.is_null())
    return Invalid(fmt::format("Unsupported null {} for column {}", what, column.name));
  if (value.is_unset())
    return Invalid(fmt::format("Unsupported unset {} for column {}", what, column.name));
  return std::move(value.bytes);
}

// Stored bytes that are no collection contain nothing.
bool ContainsElement(const Type& type, std::string_view bytes, std::string_view wanted) {
  if (type.kind() == TypeKind::kMap) {
    const auto entries = UnpackEntries(bytes);
    return entries.has_value() && std::ranges::any_of(*entries, [&](const EntryView& entry) {
             return Equal(type.value(), entry.value, wanted);
           });
  }
  const auto elements = UnpackElements(type, bytes);
  return elements.has_value() && std::ranges::any_of(*elements, [&](std::string_view element) {
           return Equal(type.element(), element, wanted);
         });
}

bool Fits(std::string_view term, std::string_view wanted, LikeKind kind) {
  switch (kind) {
    case LikeKind::kMatches:
      return term == wanted;
    case LikeKind::kPrefix:
      return term.starts_with(wanted);
    case LikeKind::kSuffix:
      return term.ends_with(wanted);
    case LikeKind::kContains:
      return term.contains(wanted);
  }
  return false;
}

bool ContainsEntry(const Type& type, std::string_view bytes, std::string_view key,
                   const std::string* value) {
  const auto entries = UnpackEntries(bytes);
  return entries.has_value() && std::ranges::any_of(*entries, [&](const EntryView& entry) {
           return Equal(type.key(), entry.key, key) &&
                  (value == nullptr || Equal(type.value(), entry.value, *value));
         });
}

}  // namespace

CqlStatus RowFilter::Add(const ColumnRestriction& restriction, const Evaluation& evaluation) {
  if (restriction.is_contains()) {
    for (const ContainsTest& test : restriction.contains)
      CQL_TRY(AddContains(restriction.first(), test, evaluation));
    return {};
  }
  if (restriction.is_like()) {
    CQL_ASSIGN(const LikePattern pattern, BindLike(restriction, evaluation));
    AddTerms(restriction, pattern);
    return {};
  }
  if (restriction.is_slice()) {
    if (restriction.is_tuple)
      return Invalid("Multi-column slice restrictions cannot be used for filtering.");
    return AddSlice(restriction, evaluation);
  }
  if (restriction.is_equal()) {
    CQL_ASSIGN(std::vector<TermValue> values, restriction.equal.Evaluate(evaluation));
    for (size_t i = 0; i < values.size(); ++i) {
      const Column& column = *restriction.columns[i];
      CQL_ASSIGN(std::string value, Require(std::move(values[i]), column, "value"));
      if (restriction.sasi.has_value()) {
        AddTerms(restriction, {LikeKind::kMatches, std::move(value)});
        continue;
      }
      AddTest(Kind::kEqual, column, {std::move(value)});
    }
    return {};
  }
  if (restriction.columns.size() > 1) return Invalid("Multicolumn IN filters are not supported");
  CQL_ASSIGN(auto each, restriction.EvaluateEach(evaluation));
  std::vector<std::string> values;
  for (auto& value : each) values.push_back(std::move(value.front()));
  AddTest(Kind::kIn, restriction.first(), std::move(values));
  return {};
}

CqlStatus RowFilter::AddSlice(const ColumnRestriction& restriction, const Evaluation& evaluation) {
  const Column& column = restriction.first();
  const auto add = [&](const std::optional<SliceBound>& bound, Kind strict,
                       Kind inclusive) -> CqlStatus {
    if (!bound.has_value()) return {};
    CQL_ASSIGN(std::vector<TermValue> values, bound->value.Evaluate(evaluation));
    CQL_ASSIGN(std::string value, Require(std::move(values.front()), column, "value"));
    AddTest(bound->inclusive ? inclusive : strict, column, {std::move(value)});
    return {};
  };
  CQL_TRY(add(restriction.lower, Kind::kGreater, Kind::kGreaterOrEqual));
  return add(restriction.upper, Kind::kLess, Kind::kLessOrEqual);
}

CqlStatus RowFilter::AddContains(const Column& column, const ContainsTest& contains,
                                 const Evaluation& evaluation) {
  const bool is_entry = contains.key != nullptr && contains.value != nullptr;
  std::vector<std::string> values;
  if (contains.key != nullptr) {
    CQL_ASSIGN(TermValue key, contains.key->Evaluate(evaluation));
    CQL_ASSIGN(std::string bytes, Require(std::move(key), column, is_entry ? "map key" : "value"));
    values.push_back(std::move(bytes));
  }
  if (contains.value != nullptr) {
    CQL_ASSIGN(TermValue value, contains.value->Evaluate(evaluation));
    CQL_ASSIGN(std::string bytes,
               Require(std::move(value), column, is_entry ? "map value" : "value"));
    values.push_back(std::move(bytes));
  }
  const Kind kind = is_entry                  ? Kind::kEntry
                    : contains.key != nullptr ? Kind::kContainsKey
                                              : Kind::kContains;
  AddTest(kind, column, std::move(values));
  return {};
}

void RowFilter::AddTerms(const ColumnRestriction& restriction, const LikePattern& pattern) {
  AddTest(Kind::kTerms, restriction.first(), restriction.sasi->TermsOf(pattern.text));
  tests_.back().sasi = restriction.sasi;
  tests_.back().like = pattern.kind;
}

void RowFilter::AddTest(Kind kind, const Column& column, std::vector<std::string> values) {
  const auto place = static_cast<size_t>(&column - table_.columns.data());
  tests_.push_back({.kind = kind, .place = place, .column = &column, .values = std::move(values)});
}

bool RowFilter::Matches(const RowValues& row) const {
  return std::ranges::all_of(tests_, [&](const Test& test) {
    const auto& value = row.values[test.place];
    return value.has_value() && Holds(test, *value);
  });
}

bool RowFilter::Holds(const Test& test, std::string_view value) {
  const Type& type = *test.column->type;
  switch (test.kind) {
    case Kind::kEqual:
      return Equal(type, value, test.values.front());
    case Kind::kIn:
      return std::ranges::any_of(
          test.values, [&](const std::string& wanted) { return Equal(type, value, wanted); });
    case Kind::kLess:
      return Compare(type, value, test.values.front()) < 0;
    case Kind::kLessOrEqual:
      return Compare(type, value, test.values.front()) <= 0;
    case Kind::kGreater:
      return Compare(type, value, test.values.front()) > 0;
    case Kind::kGreaterOrEqual:
      return Compare(type, value, test.values.front()) >= 0;
    case Kind::kContains:
      return ContainsElement(type, value, test.values.front());
    case Kind::kContainsKey:
      return ContainsEntry(type, value, test.values.front(), nullptr);
    case Kind::kEntry:
      return ContainsEntry(type, value, test.values.front(), &test.values.back());
    case Kind::kTerms:
      return std::ranges::any_of(test.sasi->TermsOf(value), [&](const std::string& term) {
        return std::ranges::any_of(
            test.values, [&](const std::string& wanted) { return Fits(term, wanted, test.like); });
      });
  }
  return false;
}

}  // namespace orrery::cassandra
