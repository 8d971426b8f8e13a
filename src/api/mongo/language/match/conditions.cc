#include "api/mongo/language/match/conditions.h"

#include <algorithm>

#include "api/mongo/language/match/geo_predicate.h"
#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/match/near_search.h"
#include "api/mongo/language/match/value_predicate.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using query::DocumentPath;
using query::Predicate;

DocumentPath PathOf(const FieldPath& path) {
  DocumentPath result;
  for (const std::string& step : path.steps) result.steps.push_back({step});
  return result;
}

bool HasStrings(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kSymbol:
    case Kind::kArray:
    case Kind::kObject:
      return true;
    default:
      return false;
  }
}

// Finds conditions in the nodes of a filter that all must be true.
class ConditionFinder {
 public:
  // `is_collated`: strings have no conditions, unless a collator makes their keys.
  explicit ConditionFinder(bool is_collated, const Collator* collator = nullptr)
      : builder_(model::Order::kMongo, query::MatchRules::kMongo),
        is_collated_(is_collated),
        collator_(collator) {}

  void Add(const MatchNode& node, query::Conditions& conditions) const {
    if (const auto* all = dynamic_cast<const AndNode*>(&node)) {
      for (const MatchNodePtr& child : all->children()) Add(*child, conditions);
    } else if (const auto* any = dynamic_cast<const OrNode*>(&node)) {
      AddDisjunction(*any, conditions);
    } else if (const auto* at = dynamic_cast<const PathNode*>(&node)) {
      if (std::optional<Predicate> predicate = PredicateOf(at->path(), at->test())) {
        conditions.all.push_back(*std::move(predicate));
      } else if (auto condition = ConditionOf(at->path(), at->test())) {
        conditions.met.push_back(*std::move(condition));
      }
      AddShape(at->path(), at->test(), conditions);
    } else if (const auto* near = dynamic_cast<const NearNode*>(&node)) {
      AddNear(near->search(), conditions);
    } else if (const auto* element = dynamic_cast<const ElemMatchNode*>(&node)) {
      for (Predicate& predicate : PredicatesOf(*element)) {
        conditions.all.push_back(std::move(predicate));
      }
    }
  }

  static void AddNear(const NearNode::Search& search, query::Conditions& conditions) {
    const auto made = NearSearch::Make(search);
    if (!made.has_value() || !made->metres_max().has_value()) return;
    conditions.shapes.push_back({.path = PathOf(search.path),
                                 .shape = made->point(),
                                 .metres = Widened(*made->metres_max())});
  }

 private:
  bool IsUsable(const Value& value) const {
    return collator_ != nullptr || !is_collated_ || !HasStrings(value);
  }
  Value InIndex(const Value& value) const {
    return collator_ == nullptr ? value : Collated(value, *collator_);
  }

  // MongoDB's earth is a sphere, that of an index an ellipsoid: what is near on the one is a little
  // farther on the other.
  static double Widened(double metres) { return metres * 1.01 + 1; }

  static void AddShape(const FieldPath& path, const ValuePredicate& test,
                       query::Conditions& conditions) {
    const auto* geo = dynamic_cast<const GeoTest*>(&test);
    auto vicinity = geo == nullptr ? std::nullopt : geo->vicinity();
    if (!vicinity.has_value()) return;
    conditions.shapes.push_back({.path = PathOf(path),
                                 .shape = std::move(vicinity->shape),
                                 .metres = Widened(vicinity->metres)});
  }

  // Returns what partial indexes know of the tests that no range of values stands for.
  static std::optional<model::Expression> ConditionOf(const FieldPath& path,
                                                      const ValuePredicate& test) {
    std::vector<model::Expression> operands;
    operands.push_back(model::Expression::Reference(model::Path(path.steps)));
    model::Operator op = model::Operator::kMongoExists;
    if (const auto* type = dynamic_cast<const TypeTest*>(&test)) {
      op = model::Operator::kMongoType;
      for (const uint8_t number : type->bson_types())
        operands.push_back(model::Expression::Literal(Value::Int32(number)));
    } else if (dynamic_cast<const ExistsTest*>(&test) == nullptr) {
      return std::nullopt;
    }
    auto made = model::Expression::Apply(op, std::move(operands));
    if (!made.has_value()) return std::nullopt;
    return *std::move(made);
  }

  std::optional<Predicate> PredicateOf(const FieldPath& path, const ValuePredicate& test) const {
    const DocumentPath at = PathOf(path);
    if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&test)) {
      if (!IsUsable(comparison->value())) return std::nullopt;
      return builder_.Compare(at, comparison->comparison(), InIndex(comparison->value()));
    }
    if (const auto* in = dynamic_cast<const InTest*>(&test)) {
      if (!in->patterns().empty()) return std::nullopt;
      const auto usable = [&](const Value& value) { return IsUsable(value); };
      if (!std::ranges::all_of(in->values(), usable)) return std::nullopt;
      std::vector<Value> values;
      for (const Value& value : in->values()) values.push_back(InIndex(value));
      return builder_.AnyOf(at, std::move(values));
    }
    // A pattern also matches the same regular expression stored, which is no string: an index range
    // of strings alone would leave it out.
    return std::nullopt;
  }

  // Returns what an element that meets the condition implies for the path: "a.b" for fields, "a"
  // itself for values. Other elements need not meet it, but one must.
  std::vector<Predicate> PredicatesOf(const ElemMatchNode& node) const {
    std::vector<Predicate> predicates;
    const auto add = [&](const MatchNode& child) {
      const auto* at = dynamic_cast<const PathNode*>(&child);
      if (at == nullptr) return;
      FieldPath path = node.path();
      if (node.is_of_fields()) path = FieldPath::Of(path.text + "." + at->path().text);
      // Nothing and null differ inside and outside of arrays.
      if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&at->test());
          comparison == nullptr || comparison->value().is_null() ||
          comparison->value().kind() == Kind::kArray)
        return;
      if (std::optional<Predicate> predicate = PredicateOf(path, at->test())) {
        predicates.push_back(*std::move(predicate));
      }
    };
    if (const auto* all = dynamic_cast<const AndNode*>(&node.condition())) {
      for (const MatchNodePtr& child : all->children()) add(*child);
    } else {
      add(node.condition());
    }
    return predicates;
  }

  void AddDisjunction(const OrNode& node, query::Conditions& conditions) const {
    query::Disjuncts disjuncts;
    for (const MatchNodePtr& child : node.children()) {
      query::Conditions inner;
      Add(*child, inner);
      if (inner.all.empty()) return;  // this branch may need any document
      disjuncts.push_back(std::move(inner.all));
    }
    if (disjuncts.size() == 1) {
      std::ranges::move(disjuncts.front(), std::back_inserter(conditions.all));
    } else {
      conditions.disjunctions.push_back(std::move(disjuncts));
    }
  }

  query::PredicateBuilder builder_;
  bool is_collated_;
  const Collator* collator_;
};

const Value* EqualityIn(const MatchNode& node, std::string_view path, bool is_collated) {
  if (const auto* all = dynamic_cast<const AndNode*>(&node)) {
    for (const MatchNodePtr& child : all->children()) {
      if (const Value* value = EqualityIn(*child, path, is_collated)) return value;
    }
    return nullptr;
  }
  const auto* at = dynamic_cast<const PathNode*>(&node);
  if (at == nullptr || at->path().text != path) return nullptr;
  const Value* value = nullptr;
  if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&at->test())) {
    if (comparison->comparison() == query::Comparison::kEqual) value = &comparison->value();
  } else if (const auto* in = dynamic_cast<const InTest*>(&at->test())) {
    if (in->values().size() == 1 && in->patterns().empty()) value = &in->values().front();
  }
  if (value == nullptr || value->kind() == Kind::kArray || (is_collated && HasStrings(*value))) {
    return nullptr;
  }
  return value;
}

}  // namespace

query::Conditions ConditionsOf(const Matcher& matcher) {
  query::Conditions conditions;
  conditions.rules = query::MatchRules::kMongo;
  ConditionFinder(matcher.context().collator != nullptr).Add(matcher.root(), conditions);
  return conditions;
}

void AddConditionsOf(const NearNode::Search& search, query::Conditions& conditions) {
  ConditionFinder::AddNear(search, conditions);
}

query::Conditions CollatedConditionsOf(const Matcher& matcher) {
  query::Conditions conditions;
  ConditionFinder(/*is_collated=*/true, matcher.context().collator.get())
      .Add(matcher.root(), conditions);
  return conditions;
}

std::optional<Value> EqualityOn(const Matcher& matcher, std::string_view path) {
  const Value* value = EqualityIn(matcher.root(), path, matcher.context().collator != nullptr);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace orrery::mongo
