#include "api/mongo/language/match/conditions.h"

#include <algorithm>

#include "api/mongo/language/match/match_node.h"
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
  explicit ConditionFinder(bool is_collated)
      : builder_(model::Order::kMongo, query::MatchRules::kMongo), is_collated_(is_collated) {}

  void Add(const MatchNode& node, query::Conditions& conditions) const {
    if (const auto* all = dynamic_cast<const AndNode*>(&node)) {
      for (const MatchNodePtr& child : all->children()) Add(*child, conditions);
    } else if (const auto* any = dynamic_cast<const OrNode*>(&node)) {
      AddDisjunction(*any, conditions);
    } else if (const auto* at = dynamic_cast<const PathNode*>(&node)) {
      if (std::optional<Predicate> predicate = PredicateOf(at->path(), at->test())) {
        conditions.all.push_back(*std::move(predicate));
      }
    } else if (const auto* element = dynamic_cast<const ElemMatchNode*>(&node)) {
      for (Predicate& predicate : PredicatesOf(*element)) {
        conditions.all.push_back(std::move(predicate));
      }
    }
  }

 private:
  bool IsUsable(const Value& value) const { return !is_collated_ || !HasStrings(value); }

  std::optional<Predicate> PredicateOf(const FieldPath& path, const ValuePredicate& test) const {
    const DocumentPath at = PathOf(path);
    if (const auto* comparison = dynamic_cast<const ComparisonTest*>(&test)) {
      if (!IsUsable(comparison->value())) return std::nullopt;
      return builder_.Compare(at, comparison->comparison(), comparison->value());
    }
    if (const auto* in = dynamic_cast<const InTest*>(&test)) {
      if (!in->patterns().empty()) return std::nullopt;
      const auto usable = [&](const Value& value) { return IsUsable(value); };
      if (!std::ranges::all_of(in->values(), usable)) return std::nullopt;
      return builder_.AnyOf(at, in->values());
    }
    // A pattern also matches the same regular expression stored, which is no string: an index range
    // of strings alone would leave it out.
    return std::nullopt;
  }

  // What an element that meets the condition implies for the path: "a.b" for fields, "a" itself for
  // values. Other elements need not meet it, but one must.
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

std::optional<Value> EqualityOn(const Matcher& matcher, std::string_view path) {
  const Value* value = EqualityIn(matcher.root(), path, matcher.context().collator != nullptr);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace orrery::mongo
