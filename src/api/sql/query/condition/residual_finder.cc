#include "api/sql/query/condition/residual_finder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/function/json_type.h"
#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using query::DocumentPath;
using query::ResidualPredicate;

// Undefined unless their first argument is a string; so is what they are part of.
constexpr std::string_view kOfStrings[] = {"LOWER",   "UPPER",   "TRIM",   "LTRIM",
                                           "RTRIM",   "LEFT",    "RIGHT",  "SUBSTRING",
                                           "REVERSE", "REPLACE", "LENGTH", "INDEX_OF"};
constexpr std::string_view kOfNumbers[] = {"ABS",   "FLOOR", "CEILING", "ROUND",
                                           "TRUNC", "SIGN",  "SQRT",    "SQUARE"};
constexpr std::string_view kStringConditions[] = {"CONTAINS", "ENDSWITH", "STARTSWITH",
                                                  "STRINGEQUALS", "REGEXMATCH"};

template <size_t N>
bool IsOneOf(const std::string_view (&names)[N], const ast::FunctionCall& call) {
  return !call.is_user_defined &&
         std::ranges::find(names, UpperCase(call.function.text)) != std::end(names);
}

class ResidualFinder {
 public:
  ResidualFinder(const AliasPaths& aliases, const ConditionContext& context)
      : aliases_(aliases), context_(context) {}

  std::optional<ResidualPredicate> Find(const ast::Expression& condition) const {
    if (const auto* call = condition.As<ast::FunctionCall>()) {
      if (!IsOneOf(kStringConditions, *call) || IsPrefix(*call)) return std::nullopt;
      return OfCall(*call, /*is_selective=*/true);
    }
    if (const auto* binary = condition.As<ast::Binary>()) return Find(*binary);
    if (const auto* like = condition.As<ast::Like>()) {
      const auto pattern = ConstantOf(*like->pattern);
      if (!pattern.has_value() || IsPrefix(*like, *pattern)) return std::nullopt;
      const auto typed = OfType(*like->value, JsonType::kString);
      return ResidualAt(typed, model::Value::String(""), !like->negated);
    }
    if (const auto* in = condition.As<ast::In>()) return in->negated ? Find(*in) : std::nullopt;
    if (const auto* logical = condition.As<ast::Logical>();
        logical != nullptr && logical->op == ast::LogicalOperator::kOr)
      return FindInAll(*logical);
    return std::nullopt;
  }

 private:
  // The single type that the condition on it needs.
  struct Typed {
    DocumentPath path;
    JsonType type;
  };

  // Ranges of values, which say all (predicate_finder.h).
  bool IsPrefix(const ast::FunctionCall& call) const {
    return UpperCase(call.function.text) == "STARTSWITH" && call.arguments.size() == 2 &&
           PathOf(call.arguments.front(), aliases_).has_value();
  }
  static bool IsPrefix(const ast::Like& like, const model::Value& pattern) {
    if (like.negated || like.escape.has_value() || TypeOf(pattern) != JsonType::kString)
      return false;
    const std::string& text = pattern.AsString();
    const size_t special = text.find_first_of("%_[");
    return special == std::string::npos ||
           (special > 0 && special + 1 == text.size() && text.back() == '%');
  }

  std::optional<model::Value> ConstantOf(const ast::Expression& expression) const {
    return sql::ConstantOf(expression, context_);
  }

  std::optional<ResidualPredicate> Find(const ast::Binary& binary) const {
    const bool is_turned = ConstantOf(*binary.left).has_value();
    const ast::Expression& side = is_turned ? *binary.right : *binary.left;
    const auto constant = ConstantOf(is_turned ? *binary.left : *binary.right);
    if (!constant.has_value() || !IsPrimitive(TypeOf(*constant))) return std::nullopt;
    if (!IsComparison(binary.op)) return std::nullopt;
    if (const auto path = PathOf(side, aliases_)) {
      if (binary.op != BinaryOperator::kNotEqual) return std::nullopt;  // a range of values
      return ResidualAt(Typed{*path, TypeOf(*constant)}, *constant, /*is_selective=*/false);
    }
    const auto* call = side.As<ast::FunctionCall>();
    if (call == nullptr) return std::nullopt;
    return OfCall(*call, binary.op == BinaryOperator::kEqual);
  }

  std::optional<ResidualPredicate> Find(const ast::In& in) const {
    const auto path = PathOf(*in.value, aliases_);
    if (!path.has_value() || in.candidates.empty()) return std::nullopt;
    std::optional<model::Value> first;
    for (const ast::Expression& candidate : in.candidates) {
      const auto constant = ConstantOf(candidate);
      if (!constant.has_value() || !IsPrimitive(TypeOf(*constant))) return std::nullopt;
      if (first.has_value() && TypeOf(*first) != TypeOf(*constant)) return std::nullopt;
      first = constant;
    }
    return ResidualAt(Typed{*path, TypeOf(*first)}, *first, /*is_selective=*/false);
  }

  // Disjuncts of one path and type are one.
  std::optional<ResidualPredicate> FindInAll(const ast::Logical& disjunction) const {
    std::optional<ResidualPredicate> all;
    for (const ast::Expression& operand : disjunction.operands) {
      const auto residual = Find(operand);
      if (!residual.has_value()) return std::nullopt;
      if (!all.has_value()) {
        all = residual;
        continue;
      }
      if (all->path != residual->path ||
          all->range.lower->encoded != residual->range.lower->encoded)
        return std::nullopt;
      all->is_selective = all->is_selective && residual->is_selective;
    }
    return all;
  }

  // A call of one of the functions above, of a path and constants.
  std::optional<ResidualPredicate> OfCall(const ast::FunctionCall& call, bool is_selective) const {
    if (call.arguments.empty()) return std::nullopt;
    for (size_t i = 1; i < call.arguments.size(); ++i)
      if (!ConstantOf(call.arguments[i]).has_value()) return std::nullopt;
    if (IsOneOf(kOfStrings, call) || IsOneOf(kStringConditions, call))
      return ResidualAt(OfType(call.arguments[0], JsonType::kString), model::Value::String(""),
                        is_selective);
    if (IsOneOf(kOfNumbers, call))
      return ResidualAt(OfType(call.arguments[0], JsonType::kNumber), model::Value::Int32(0),
                        is_selective);
    return std::nullopt;
  }

  // The path that is of that type wherever the expression is.
  std::optional<Typed> OfType(const ast::Expression& expression, JsonType type) const {
    if (auto path = PathOf(expression, aliases_)) return Typed{*std::move(path), type};
    const auto* call = expression.As<ast::FunctionCall>();
    if (call == nullptr) return std::nullopt;
    const auto inner = OfCall(*call, false);
    if (!inner.has_value()) return std::nullopt;
    return Typed{inner->path, IsOneOf(kOfStrings, *call) ? JsonType::kString : JsonType::kNumber};
  }

  std::optional<ResidualPredicate> ResidualAt(const std::optional<Typed>& typed,
                                              const model::Value& example,
                                              bool is_selective) const {
    if (!typed.has_value() || typed->path.has_elements() || context_.IsComputed(typed->path) ||
        context_.IsBeyondIndexes(typed->path))
      return std::nullopt;
    const model::Value value = typed->type == JsonType::kString   ? model::Value::String("")
                               : typed->type == JsonType::kNumber ? model::Value::Int32(0)
                                                                  : example;
    return ResidualPredicate{.path = typed->path,
                             .range = query::PredicateBuilder(context_.order).RangeOfType(value),
                             .is_selective = is_selective};
  }

  static bool IsComparison(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kEqual:
      case BinaryOperator::kNotEqual:
      case BinaryOperator::kLess:
      case BinaryOperator::kLessOrEqual:
      case BinaryOperator::kGreater:
      case BinaryOperator::kGreaterOrEqual:
        return true;
      default:
        return false;
    }
  }

  const AliasPaths& aliases_;
  const ConditionContext& context_;
};

}  // namespace

std::vector<ResidualPredicate> ResidualsOf(const ast::Query& reader,
                                           const ConditionContext& context) {
  std::vector<ResidualPredicate> residuals;
  const AliasPaths aliases = AliasPathsOf(reader);
  const ResidualFinder finder(aliases, context);
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (auto residual = finder.Find(condition)) residuals.push_back(*std::move(residual));
  });
  return residuals;
}

}  // namespace orrery::sql
