#include "api/sql/query/condition/filter_finder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/document/document_form.h"
#include "api/sql/function/argument.h"
#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "model/value_size.h"

namespace orrery::sql {
namespace {

using model::Operator;
using Operands = std::vector<model::Expression>;

// The limits of one filter: of literals, paths and operators, and of bytes in its literals: it goes
// along with every scan.
constexpr size_t kFilterNodesMax = 4'000;
constexpr size_t kFilterBytesMax = size_t{64} << 10;

struct Call {
  std::string_view name;
  size_t arguments;
  Operator op;
  std::optional<Operator> with_flag = {};  // when there is one argument more, and that is true
};

constexpr Call kCalls[] = {
    {"IS_DEFINED", 1, Operator::kIsDefined},
    {"IS_NULL", 1, Operator::kIsNull},
    {"IS_NUMBER", 1, Operator::kIsNumber},
    {"IS_STRING", 1, Operator::kIsString},
    {"IS_BOOL", 1, Operator::kIsBool},
    {"IS_BOOLEAN", 1, Operator::kIsBool},
    {"IS_ARRAY", 1, Operator::kIsArray},
    {"IS_OBJECT", 1, Operator::kIsObject},
    {"IS_PRIMITIVE", 1, Operator::kIsPrimitive},
    {"IS_INTEGER", 1, Operator::kIsInteger},
    {"IS_FINITE_NUMBER", 1, Operator::kIsFiniteNumber},
    {"STARTSWITH", 2, Operator::kStartsWith, Operator::kStartsWithAnyCase},
    {"ENDSWITH", 2, Operator::kEndsWith, Operator::kEndsWithAnyCase},
    {"CONTAINS", 2, Operator::kContains, Operator::kContainsAnyCase},
    {"ARRAY_CONTAINS", 2, Operator::kArrayContains, Operator::kArrayContainsPart},
    {"ARRAY_LENGTH", 1, Operator::kArrayLength},
    {"LENGTH", 1, Operator::kLength},
    {"LOWER", 1, Operator::kLower},
    {"UPPER", 1, Operator::kUpper},
};

std::optional<Operator> OperatorOf(ast::BinaryOperator op) {
  switch (op) {
    case ast::BinaryOperator::kEqual:
      return Operator::kEqual;
    case ast::BinaryOperator::kNotEqual:
      return Operator::kNotEqual;
    case ast::BinaryOperator::kLess:
      return Operator::kLess;
    case ast::BinaryOperator::kLessOrEqual:
      return Operator::kLessOrEqual;
    case ast::BinaryOperator::kGreater:
      return Operator::kGreater;
    case ast::BinaryOperator::kGreaterOrEqual:
      return Operator::kGreaterOrEqual;
    case ast::BinaryOperator::kCoalesce:
      return Operator::kCoalesce;
    default:
      return std::nullopt;
  }
}

// Makes one filter. After nullopt what it has counted is of no use.
class FilterMaker {
 public:
  using Made = std::optional<model::Expression>;

  FilterMaker(const AliasPaths& aliases, const ConditionContext& context)
      : aliases_(aliases), context_(context) {}

  Made Make(const ast::Expression& expression) {
    if (++nodes_ > kFilterNodesMax) return std::nullopt;
    if (const auto* logical = expression.As<ast::Logical>()) {
      return Apply(logical->op == ast::LogicalOperator::kAnd ? Operator::kAnd : Operator::kOr,
                   MakeAll(logical->operands));
    }
    if (const auto* unary = expression.As<ast::Unary>();
        unary != nullptr && unary->op == ast::UnaryOperator::kNot)
      return Negated(true, Make(*unary->operand));
    if (const auto* binary = expression.As<ast::Binary>()) {
      if (const auto op = OperatorOf(binary->op))
        return Apply(*op, MakeEach({binary->left.get(), binary->right.get()}));
    }
    if (const auto* in = expression.As<ast::In>()) return MakeIn(*in);
    if (const auto* between = expression.As<ast::Between>()) {
      return Negated(between->negated,
                     Apply(Operator::kBetween, MakeEach({between->value.get(), between->low.get(),
                                                         between->high.get()})));
    }
    if (const auto* like = expression.As<ast::Like>()) return MakeLike(*like);
    if (const auto path = PathOf(expression, aliases_)) return MakeField(*path);
    if (auto constant = ConstantOf(expression, context_)) return MakeLiteral(*std::move(constant));
    if (const auto* call = expression.As<ast::FunctionCall>()) return MakeCall(*call);
    return std::nullopt;
  }

 private:
  std::optional<Operands> MakeEach(std::initializer_list<const ast::Expression*> expressions) {
    Operands operands;
    for (const ast::Expression* expression : expressions) {
      auto made = Make(*expression);
      if (!made.has_value()) return std::nullopt;
      operands.push_back(*std::move(made));
    }
    return operands;
  }
  std::optional<Operands> MakeAll(const std::vector<ast::Expression>& expressions) {
    Operands operands;
    for (const ast::Expression& expression : expressions) {
      auto made = Make(expression);
      if (!made.has_value()) return std::nullopt;
      operands.push_back(*std::move(made));
    }
    return operands;
  }

  static Made Apply(Operator op, std::optional<Operands> operands) {
    if (!operands.has_value()) return std::nullopt;
    auto applied = model::Expression::Apply(op, *std::move(operands));
    if (!applied.has_value()) return std::nullopt;  // too deep
    return *std::move(applied);
  }
  static Made Negated(bool negated, Made made) {
    if (!negated || !made.has_value()) return made;
    return Apply(Operator::kNot, Operands{*std::move(made)});
  }

  Made MakeLiteral(model::Value value) {
    bytes_ += model::ApproximateBytes(value);
    if (bytes_ > kFilterBytesMax) return std::nullopt;
    return model::Expression::Literal(std::move(value));
  }

  Made MakeField(const query::DocumentPath& path) const {
    auto stored = StoredPathOf(path, context_);
    if (!stored.has_value()) return std::nullopt;
    return model::Expression::Field(*std::move(stored));
  }

  Made MakeIn(const ast::In& in) {
    auto operands = MakeEach({in.value.get()});
    auto candidates = MakeAll(in.candidates);
    if (!operands.has_value() || !candidates.has_value()) return std::nullopt;
    std::ranges::move(*candidates, std::back_inserter(*operands));
    return Negated(in.negated, Apply(Operator::kIn, std::move(operands)));
  }

  // Text between two, one or no "%", and nothing else that means others.
  Made MakeLike(const ast::Like& like) {
    const auto pattern = ConstantOf(*like.pattern, context_);
    const std::string* text = pattern.has_value() ? TextOf(*pattern) : nullptr;
    if (text == nullptr || like.escape.has_value()) return std::nullopt;
    std::string_view part = *text;
    const bool any_before = part.starts_with('%');
    if (any_before) part.remove_prefix(1);
    const bool any_behind = part.ends_with('%');
    if (any_behind) part.remove_suffix(1);
    if (part.find_first_of("%_[]") != std::string_view::npos) return std::nullopt;
    const Operator op = any_before   ? any_behind ? Operator::kContains : Operator::kEndsWith
                        : any_behind ? Operator::kStartsWith
                                     : Operator::kEqual;
    auto operands = MakeEach({like.value.get()});
    auto literal = MakeLiteral(model::Value::String(std::string(part)));
    if (!operands.has_value() || !literal.has_value()) return std::nullopt;
    operands->push_back(*std::move(literal));
    return Negated(like.negated, Apply(op, std::move(operands)));
  }

  Made MakeCall(const ast::FunctionCall& call) {
    if (call.is_user_defined) return std::nullopt;
    const auto* known = std::ranges::find(kCalls, UpperCase(call.function.text), &Call::name);
    if (known == std::end(kCalls)) return std::nullopt;
    Operator op = known->op;
    if (call.arguments.size() == known->arguments + 1 && known->with_flag.has_value()) {
      const auto flag = ConstantOf(call.arguments.back(), context_);
      if (!flag.has_value() || flag->kind() != model::Kind::kBool) return std::nullopt;
      if (flag->AsBool()) op = *known->with_flag;
    } else if (call.arguments.size() != known->arguments) {
      return std::nullopt;
    }
    Operands operands;
    for (size_t i = 0; i < known->arguments; ++i) {
      auto made = Make(call.arguments[i]);
      if (!made.has_value()) return std::nullopt;
      operands.push_back(*std::move(made));
    }
    return Apply(op, std::move(operands));
  }

  const AliasPaths& aliases_;
  const ConditionContext& context_;
  size_t nodes_ = 0;
  size_t bytes_ = 0;
};

}  // namespace

std::optional<model::Path> StoredPathOf(const query::DocumentPath& path,
                                        const ConditionContext& context) {
  if (path.steps.empty() || path.has_elements() || context.IsComputed(path) ||
      IsSystemProperty(path.steps.front().name))
    return std::nullopt;
  std::vector<std::string> steps;
  for (const query::DocumentPath::Step& step : path.steps) steps.push_back(step.name);
  return model::Path(std::move(steps));
}

std::optional<model::Expression> OwnerExpressionOf(const ast::Expression& expression,
                                                   const AliasPaths& aliases,
                                                   const ConditionContext& context) {
  return FilterMaker(aliases, context).Make(expression);
}

FoundFilter FilterOf(const ast::Query& reader, const ConditionContext& context) {
  const AliasPaths aliases = AliasPathsOf(reader);
  Operands conditions;
  bool is_whole = true;
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    auto made = FilterMaker(aliases, context).Make(condition);
    is_whole = is_whole && made.has_value();
    if (made.has_value()) conditions.push_back(*std::move(made));
  });
  if (conditions.empty()) return {};
  if (conditions.size() == 1)
    return {std::make_shared<const model::Expression>(std::move(conditions.front())), is_whole};
  auto all = model::Expression::Apply(Operator::kAnd, std::move(conditions));
  if (!all.has_value()) return {};
  return {std::make_shared<const model::Expression>(*std::move(all)), is_whole};
}

}  // namespace orrery::sql
