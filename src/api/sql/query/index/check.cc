#include "api/sql/query/index/check.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/function/json_type.h"
#include "api/sql/query/index/conjunction.h"
#include "api/sql/query/index/constant.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;

// Undefined unless their first argument is a string; so is what they are part of.
constexpr std::string_view kOfStrings[] = {"LOWER",   "UPPER",   "TRIM",   "LTRIM",
                                           "RTRIM",   "LEFT",    "RIGHT",  "SUBSTRING",
                                           "REVERSE", "REPLACE", "LENGTH", "INDEX_OF"};
constexpr std::string_view kOfNumbers[] = {"ABS",   "FLOOR", "CEILING", "ROUND",
                                           "TRUNC", "SIGN",  "SQRT",    "SQUARE"};
constexpr std::string_view kStringConditions[] = {"CONTAINS", "ENDSWITH", "STARTSWITH",
                                                  "STRINGEQUALS", "REGEXMATCH"};

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

template <size_t N>
bool IsOneOf(const std::string_view (&names)[N], const ast::FunctionCall& call) {
  return !call.is_user_defined &&
         std::ranges::find(names, UpperCase(call.function.text)) != std::end(names);
}

class CheckFinder {
 public:
  CheckFinder(const Places& places, const PredicateContext& context)
      : places_(places), context_(context) {}

  std::optional<Check> Find(const ast::Expression& condition) const {
    if (const auto* call = condition.As<ast::FunctionCall>()) {
      if (!IsOneOf(kStringConditions, *call) || IsPrefix(*call)) return std::nullopt;
      return OfCall(*call, /*is_selective=*/true);
    }
    if (const auto* binary = condition.As<ast::Binary>()) return Find(*binary);
    if (const auto* like = condition.As<ast::Like>()) {
      const auto pattern = ConstantOf(*like->pattern);
      if (!pattern.has_value() || IsPrefix(*like, *pattern)) return std::nullopt;
      const auto typed = OfType(*like->value, JsonType::kString);
      return CheckAt(typed, model::Value::String(""), !like->negated);
    }
    if (const auto* in = condition.As<ast::In>()) return in->negated ? Find(*in) : std::nullopt;
    if (const auto* logical = condition.As<ast::Logical>();
        logical != nullptr && logical->op == ast::LogicalOperator::kOr)
      return FindInAll(*logical);
    return std::nullopt;
  }

 private:
  // Whether the condition on it is one of a single type.
  struct Typed {
    Place place;
    JsonType type;
  };

  // Ranges of values, which say all (predicate.h).
  bool IsPrefix(const ast::FunctionCall& call) const {
    return UpperCase(call.function.text) == "STARTSWITH" && call.arguments.size() == 2 &&
           PlaceOf(call.arguments.front(), places_).has_value();
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

  std::optional<Check> Find(const ast::Binary& binary) const {
    const bool is_turned = ConstantOf(*binary.left).has_value();
    const ast::Expression& side = is_turned ? *binary.right : *binary.left;
    const auto constant = ConstantOf(is_turned ? *binary.left : *binary.right);
    if (!constant.has_value() || !IsPrimitive(TypeOf(*constant))) return std::nullopt;
    if (!IsComparison(binary.op)) return std::nullopt;
    if (const auto place = PlaceOf(side, places_)) {
      if (binary.op != BinaryOperator::kNotEqual) return std::nullopt;  // a range of values
      return CheckAt(Typed{*place, TypeOf(*constant)}, *constant, /*is_selective=*/false);
    }
    const auto* call = side.As<ast::FunctionCall>();
    if (call == nullptr) return std::nullopt;
    return OfCall(*call, binary.op == BinaryOperator::kEqual);
  }

  std::optional<Check> Find(const ast::In& in) const {
    const auto place = PlaceOf(*in.value, places_);
    if (!place.has_value() || in.candidates.empty()) return std::nullopt;
    std::optional<model::Value> first;
    for (const ast::Expression& candidate : in.candidates) {
      const auto constant = ConstantOf(candidate);
      if (!constant.has_value() || !IsPrimitive(TypeOf(*constant))) return std::nullopt;
      if (first.has_value() && TypeOf(*first) != TypeOf(*constant)) return std::nullopt;
      first = constant;
    }
    return CheckAt(Typed{*place, TypeOf(*first)}, *first, /*is_selective=*/false);
  }

  // Alternatives of one place and type are one.
  std::optional<Check> FindInAll(const ast::Logical& alternatives) const {
    std::optional<Check> all;
    for (const ast::Expression& operand : alternatives.operands) {
      const auto check = Find(operand);
      if (!check.has_value()) return std::nullopt;
      if (!all.has_value()) {
        all = check;
        continue;
      }
      if (all->place != check->place || all->range.lower->encoded != check->range.lower->encoded)
        return std::nullopt;
      all->is_selective = all->is_selective && check->is_selective;
    }
    return all;
  }

  // A call of one of the functions above, of a place and constants.
  std::optional<Check> OfCall(const ast::FunctionCall& call, bool is_selective) const {
    if (call.arguments.empty()) return std::nullopt;
    for (size_t i = 1; i < call.arguments.size(); ++i)
      if (!ConstantOf(call.arguments[i]).has_value()) return std::nullopt;
    if (IsOneOf(kOfStrings, call) || IsOneOf(kStringConditions, call))
      return CheckAt(OfType(call.arguments[0], JsonType::kString), model::Value::String(""),
                     is_selective);
    if (IsOneOf(kOfNumbers, call))
      return CheckAt(OfType(call.arguments[0], JsonType::kNumber), model::Value::Int32(0),
                     is_selective);
    return std::nullopt;
  }

  // The place that is of that type wherever the expression is.
  std::optional<Typed> OfType(const ast::Expression& expression, JsonType type) const {
    if (auto place = PlaceOf(expression, places_)) return Typed{*std::move(place), type};
    const auto* call = expression.As<ast::FunctionCall>();
    if (call == nullptr) return std::nullopt;
    const auto inner = OfCall(*call, false);
    if (!inner.has_value()) return std::nullopt;
    return Typed{inner->place, IsOneOf(kOfStrings, *call) ? JsonType::kString : JsonType::kNumber};
  }

  std::optional<Check> CheckAt(const std::optional<Typed>& typed, const model::Value& example,
                               bool is_selective) const {
    if (!typed.has_value() || !IsIndexable(typed->place) || typed->place.has_elements() ||
        context_.IsComputed(typed->place))
      return std::nullopt;
    const model::Value value = typed->type == JsonType::kString   ? model::Value::String("")
                               : typed->type == JsonType::kNumber ? model::Value::Int32(0)
                                                                  : example;
    const std::string type = model::EncodeKey({&value, 1}, context_.order).substr(0, 1);
    return Check{
        .place = typed->place,
        .range = {item::ValueBound{type, true}, item::ValueBound{item::PrefixEnd(type), false}},
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

  const Places& places_;
  const PredicateContext& context_;
};

}  // namespace

std::vector<Check> ChecksOf(const ast::Query& reader, const PredicateContext& context) {
  std::vector<Check> checks;
  const Places places = DocumentPlaces(reader);
  const CheckFinder finder(places, context);
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (auto check = finder.Find(condition)) checks.push_back(*std::move(check));
  });
  return checks;
}

}  // namespace orrery::sql
