#include "api/gremlin/value/bytecode.h"

#include <algorithm>
#include <array>
#include <utility>

namespace orrery::gremlin {
namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 23> kComparisons = {{
    {"eq", Comparison::kEq},
    {"neq", Comparison::kNeq},
    {"lt", Comparison::kLt},
    {"lte", Comparison::kLte},
    {"gt", Comparison::kGt},
    {"gte", Comparison::kGte},
    {"inside", Comparison::kInside},
    {"outside", Comparison::kOutside},
    {"between", Comparison::kBetween},
    {"within", Comparison::kWithin},
    {"without", Comparison::kWithout},
    {"containing", Comparison::kContaining},
    {"notContaining", Comparison::kNotContaining},
    {"startingWith", Comparison::kStartingWith},
    {"notStartingWith", Comparison::kNotStartingWith},
    {"endingWith", Comparison::kEndingWith},
    {"notEndingWith", Comparison::kNotEndingWith},
    {"regex", Comparison::kRegex},
    {"notRegex", Comparison::kNotRegex},
    {"typeOf", Comparison::kTypeOf},
    {"and", Comparison::kAnd},
    {"or", Comparison::kOr},
    {"not", Comparison::kNot},
}};

}  // namespace

bool ComparisonOf(std::string_view name, Comparison& comparison) {
  const auto* found = std::ranges::find(kComparisons, name, [](const auto& e) { return e.first; });
  if (found == kComparisons.end()) return false;
  comparison = found->second;
  return true;
}

Result<Value> MakePredicate(std::string_view name, Values args) {
  Predicate predicate;
  const std::string function(name);
  if (!ComparisonOf(name, predicate.comparison))
    return Fail(Code::kInvalidArgument, "no predicate is called '" + function + "'");
  const Comparison comparison = predicate.comparison;
  const bool joins = comparison >= Comparison::kAnd;
  const bool is_list = comparison == Comparison::kWithin || comparison == Comparison::kWithout;
  const bool is_range = comparison >= Comparison::kInside && comparison <= Comparison::kBetween;
  if (args.size() == 1 && args.front().is_collection() && (joins || is_list || is_range))
    args = Values(args.front().AsItems());
  const bool counted = comparison == Comparison::kAnd || comparison == Comparison::kOr
                           ? args.size() >= 2
                           : is_list || args.size() == (is_range ? 2U : 1U);
  if (!counted)
    return Fail(Code::kInvalidArgument,
                function + "() does not take " + std::to_string(args.size()) + " arguments");
  if (!joins) {
    predicate.values = std::move(args);
    return Value(std::make_shared<const Predicate>(std::move(predicate)));
  }
  for (const Value& arg : args) {
    if (arg.type() != Type::kPredicate)
      return Fail(Code::kInvalidArgument, function + "() takes predicates");
    predicate.parts.push_back(arg.predicate());
  }
  return Value(std::make_shared<const Predicate>(std::move(predicate)));
}

std::string_view ComparisonName(Comparison comparison) {
  return std::ranges::find(kComparisons, comparison, [](const auto& e) { return e.second; })->first;
}

}  // namespace orrery::gremlin
