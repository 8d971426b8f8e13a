#include "query/access/partial_index.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/expression/expression_json.h"
#include "model/key/key_codec.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::query {
namespace {

bool IsWithin(const ValueRange& inner, const ValueRange& outer) {
  const auto begins_before = [](const std::optional<item::ValueBound>& a,
                                const std::optional<item::ValueBound>& b) {
    if (!a.has_value()) return true;
    if (!b.has_value()) return false;
    return a->encoded < b->encoded || (a->encoded == b->encoded && (a->inclusive || !b->inclusive));
  };
  const auto ends_behind = [](const std::optional<item::ValueBound>& a,
                              const std::optional<item::ValueBound>& b) {
    if (!a.has_value()) return true;
    if (!b.has_value()) return false;
    return a->encoded > b->encoded || (a->encoded == b->encoded && (a->inclusive || !b->inclusive));
  };
  return begins_before(outer.lower, inner.lower) && ends_behind(outer.upper, inner.upper);
}

bool AreWithin(const std::vector<ValueRange>& inner, const std::vector<ValueRange>& outer) {
  return std::ranges::all_of(inner, [&](const ValueRange& range) {
    return std::ranges::any_of(outer, [&](const ValueRange& all) { return IsWithin(range, all); });
  });
}

class Implication {
 public:
  Implication(const KnownConditions& known, model::Order order) : known_(known), order_(order) {}

  // Returns whether the path leads to a value in every document that is wanted.
  bool HasValue(const model::Path& path) const {
    const DocumentPath at = DocumentPath::At(path);
    // Nothing is null in an index, and an empty array on the way undefined.
    const std::string nothing = Encoded(model::Value::Undefined());
    const std::string null = Encoded(model::Value::Null());
    const auto is_value = [&](const Predicate& predicate) {
      return predicate.rules == MatchRules::kMongo && predicate.path == at &&
             std::ranges::none_of(predicate.ranges, [&](const ValueRange& range) {
               return range.Contains(nothing) || range.Contains(null);
             });
    };
    if (std::ranges::any_of(known_.all, is_value)) return true;
    return std::ranges::any_of(known_.met, [&](const model::Expression& condition) {
      return condition.op() == model::Operator::kMongoExists &&
             condition.operands().front().path() == path;
    });
  }

  bool Holds(const model::Expression& condition) const {
    const auto holds = [&](const model::Expression& part) { return Holds(part); };
    switch (condition.op()) {
      case model::Operator::kLiteral:
        return condition.literal() == model::Value::Bool(true);
      case model::Operator::kAnd:
        return std::ranges::all_of(condition.operands(), holds);
      case model::Operator::kOr:
        return std::ranges::any_of(condition.operands(), holds) || IsMet(condition);
      case model::Operator::kMongoExists:
        return HasValue(condition.operands().front().path());
      default:
        return IsInRanges(condition) || IsMet(condition);
    }
  }

 private:
  std::string Encoded(const model::Value& value) const {
    return model::EncodeKey({&value, 1}, order_);
  }

  // Returns whether the query has the same condition.
  bool IsMet(const model::Expression& condition) const {
    const model::Value text = model::ExpressionToJson(condition);
    return std::ranges::any_of(known_.met, [&](const model::Expression& met) {
      return model::ExpressionToJson(met) == text;
    });
  }

  // Returns whether a predicate of the query allows only values that meet the comparison.
  bool IsInRanges(const model::Expression& condition) const {
    const std::optional<Predicate> asked = PredicateFor(condition);
    if (!asked.has_value()) return false;
    return std::ranges::any_of(known_.all, [&](const Predicate& known) {
      return known.rules == MatchRules::kMongo && known.path == asked->path &&
             AreWithin(known.ranges, asked->ranges);
    });
  }

  // The values that meet the comparison, and no others.
  std::optional<Predicate> PredicateFor(const model::Expression& condition) const {
    const auto operands = condition.operands();
    if (operands.size() < 2) return std::nullopt;
    std::vector<model::Value> values;
    for (const model::Expression& operand : operands.subspan(1)) {
      if (operand.op() != model::Operator::kLiteral) return std::nullopt;
      const model::Kind kind = operand.literal().kind();
      // Of these an index has others as well.
      if (kind == model::Kind::kArray || kind == model::Kind::kNull ||
          kind == model::Kind::kUndefined)
        return std::nullopt;
      values.push_back(operand.literal());
    }
    const PredicateBuilder builder(order_, MatchRules::kMongo);
    const DocumentPath at = DocumentPath::At(operands.front().path());
    switch (condition.op()) {
      case model::Operator::kMongoEqual:
        return builder.Equal(at, values.front());
      case model::Operator::kMongoIn:
        return builder.AnyOf(at, std::move(values));
      case model::Operator::kMongoLess:
        return builder.Compare(at, Comparison::kLess, values.front());
      case model::Operator::kMongoLessOrEqual:
        return builder.Compare(at, Comparison::kLessOrEqual, values.front());
      case model::Operator::kMongoGreater:
        return builder.Compare(at, Comparison::kGreater, values.front());
      case model::Operator::kMongoGreaterOrEqual:
        return builder.Compare(at, Comparison::kGreaterOrEqual, values.front());
      default:
        return std::nullopt;
    }
  }

  const KnownConditions& known_;
  const model::Order order_;
};

}  // namespace

bool HasAllWanted(const item::NamedIndex& index, const KnownConditions& known, model::Order order) {
  const Implication implication(known, order);
  if (index.sparse && std::ranges::none_of(index.paths, [&](const model::Path& path) {
        return implication.HasValue(path);
      }))
    return false;
  return !index.only.has_value() || implication.Holds(*index.only);
}

}  // namespace orrery::query
