#include "api/table/query/filter_conditions.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "api/table/entity/stored_entity.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::table {
namespace {

using model::Value;
using query::DocumentPath;
using query::Predicate;

constexpr size_t kDisjunctsMax = 64;

const query::PredicateBuilder kBuilder{model::Order::kSql};

std::optional<DocumentPath> PathOf(const std::string& property) {
  if (property == "PartitionKey" || property == "Timestamp") return std::nullopt;
  if (property == "RowKey") return DocumentPath().Field(std::string(kIdField));
  return DocumentPath().Field(FieldOf(property)).Field(std::string(kValueField));
}

// Predicates on one path, of which one is true. REQUIRES: the values of `low` are before those of
// `high`.
std::optional<Predicate> Either(std::optional<Predicate> low, std::optional<Predicate> high) {
  if (!low.has_value() || !high.has_value()) return std::nullopt;
  for (query::ValueRange& range : high->ranges) low->ranges.push_back(std::move(range));
  if (low->equal.has_value() && high->equal.has_value())
    low->any_of = {*std::move(low->equal), *std::move(high->equal)};
  low->equal.reset();
  return low;
}

// Texts of Int64 compare as texts where neither is negative; all negative ones come before.
std::optional<Predicate> Int64Predicate(const DocumentPath& path, Comparison comparison,
                                        const EdmValue& literal) {
  const bool is_whole = literal.type() != EdmType::kDouble;
  const Value any = Value::String("");
  if (comparison == Comparison::kEqual && is_whole)
    return kBuilder.Equal(path, Value::String(StoredInt64(literal.AsInteger())));
  if (!is_whole || literal.AsInteger() < 0) return kBuilder.TypeOf(path, any);
  return kBuilder.Compare(path, comparison, Value::String(StoredInt64(literal.AsInteger())));
}

std::optional<Predicate> NumberPredicate(const DocumentPath& path, Comparison comparison,
                                         const EdmValue& literal) {
  const bool is_whole = literal.type() != EdmType::kDouble;
  if (!is_whole && !std::isfinite(literal.AsDouble())) return std::nullopt;
  const Value number =
      is_whole ? Value::Int64(literal.AsInteger()) : Value::Double(literal.AsDouble());
  return Either(kBuilder.Compare(path, comparison, number),
                Int64Predicate(path, comparison, literal));
}

std::optional<Predicate> PredicateOf(const DocumentPath& path, Comparison comparison,
                                     const EdmValue& literal) {
  if (literal.is_number()) return NumberPredicate(path, comparison, literal);
  // Guids, bytes and Booleans are not in the order of their stored form.
  const bool is_ordered =
      literal.type() == EdmType::kString || literal.type() == EdmType::kDateTime;
  if (!is_ordered && comparison != Comparison::kEqual) return std::nullopt;
  return kBuilder.Compare(path, comparison, StoredForm(literal));
}

std::optional<Predicate> ComparisonPredicate(const Filter& filter) {
  if (filter.is_unequal) return std::nullopt;
  const auto* property = std::get_if<FilterProperty>(&*filter.a);
  const auto* literal = std::get_if<EdmValue>(&*filter.b);
  Comparison comparison = filter.comparison;
  if (property == nullptr) {
    property = std::get_if<FilterProperty>(&*filter.b);
    literal = std::get_if<EdmValue>(&*filter.a);
    comparison = Mirrored(comparison);
  }
  if (property == nullptr || literal == nullptr) return std::nullopt;
  const auto path = PathOf(property->name);
  if (!path.has_value()) return std::nullopt;
  return PredicateOf(*path, comparison, *literal);
}

class ConditionFinder {
 public:
  query::Conditions Find(const Filter& filter) {
    Visit(filter);
    return std::move(conditions_);
  }

 private:
  void Visit(const Filter& filter) {
    switch (filter.kind) {
      case Filter::Kind::kAnd:
        Visit(*filter.left);
        Visit(*filter.right);
        return;
      case Filter::Kind::kOr:
        AddDisjunction(filter);
        return;
      case Filter::Kind::kCompare:
        if (auto predicate = ComparisonPredicate(filter))
          conditions_.all.push_back(*std::move(predicate));
        return;
      case Filter::Kind::kOperand:
        AddBare(filter);
        return;
      case Filter::Kind::kNot:
        return;
    }
  }

  void AddBare(const Filter& filter) {
    const auto* property = std::get_if<FilterProperty>(&*filter.a);
    const auto path = property == nullptr ? std::nullopt : PathOf(property->name);
    if (!path.has_value()) return;
    if (auto predicate = kBuilder.Equal(*path, Value::Bool(true)))
      conditions_.all.push_back(*std::move(predicate));
  }

  void AddDisjunction(const Filter& filter) {
    query::Disjuncts disjuncts;
    if (AddDisjuncts(filter, disjuncts)) conditions_.disjunctions.push_back(std::move(disjuncts));
  }

  // False if one of them says nothing.
  static bool AddDisjuncts(const Filter& filter, query::Disjuncts& disjuncts) {
    if (filter.kind == Filter::Kind::kOr) {
      return AddDisjuncts(*filter.left, disjuncts) && AddDisjuncts(*filter.right, disjuncts);
    }
    std::vector<Predicate> all = ConditionFinder().Find(filter).all;
    if (all.empty() || disjuncts.size() == kDisjunctsMax) return false;
    disjuncts.push_back(std::move(all));
    return true;
  }

  query::Conditions conditions_;
};

}  // namespace

query::Conditions ConditionsOf(const Filter* filter) {
  return filter == nullptr ? query::Conditions() : ConditionFinder().Find(*filter);
}

}  // namespace orrery::table
