// Calls of built-in functions, of users' functions and of aggregates.
#include <utility>

#include "api/sql/evaluate/expression_binder.h"
#include "api/sql/function/argument.h"
#include "api/sql/function/text/regex_pattern.h"

namespace orrery::sql {

using ast::Expression;
using Part = ExpressionBinder::Part;

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::FunctionCall& tree) const {
  if (tree.is_user_defined) return BindUserCall(tree);
  const Function* function = context_.functions.Find(tree.function.text);
  if (function == nullptr) {
    if (const auto aggregate = FindAggregate(tree.function.text))
      return BindAggregate(at, tree, *aggregate);
    return std::unexpected(errors_.UnknownFunction(tree.function.range, tree.function.text));
  }
  if (!function->Takes(tree.arguments.size()))
    return std::unexpected(errors_.ArgumentCount(at.range, function->name, function->arguments_min,
                                                 function->arguments_max));
  const bool is_pure = function->purity == Function::Purity::kPure;
  Parsed<Children> arguments = BindChildren(PointersTo(tree.arguments), is_pure);
  if (!arguments.has_value()) return std::unexpected(std::move(arguments).error());
  if (function->name == "REGEXMATCH" && !arguments->are_constant)
    return BindRegexMatch(at, *function, *std::move(arguments));
  return Part{node::Call(*function, std::move(arguments->nodes)), arguments->are_constant};
}

Parsed<Part> ExpressionBinder::BindUserCall(const ast::FunctionCall& call) const {
  Parsed<Children> arguments = BindChildren(PointersTo(call.arguments), /*is_pure=*/false);
  if (!arguments.has_value()) return std::unexpected(std::move(arguments).error());
  return Part{node::UserCall(call.function.text, std::move(arguments->nodes)), false};
}

Parsed<Part> ExpressionBinder::BindAggregate(const Expression& at, const ast::FunctionCall& call,
                                             Aggregate aggregate) const {
  if (context_.aggregates == nullptr)
    return std::unexpected(errors_.MisplacedAggregate(at.range, call.function.text));
  if (call.arguments.size() != 1)
    return std::unexpected(errors_.ArgumentCount(at.range, call.function.text, 1, 1));
  BindContext inner = context_.rows == nullptr ? context_ : *context_.rows;
  inner.aggregates = nullptr;
  auto argument = ExpressionBinder(inner).BindWhole(call.arguments[0]);
  if (!argument.has_value() && argument.error().code == kMisplacedAggregateCode)
    return std::unexpected(errors_.NestedAggregate(at.range));
  if (!argument.has_value()) return std::unexpected(std::move(argument).error());
  return Part{
      node::Slot(context_.aggregates->Add(aggregate, *std::move(argument), call.arguments[0])),
      false};
}

// Compiles the pattern now if it and the modifiers are constant strings.
Parsed<Part> ExpressionBinder::BindRegexMatch(const Expression& at, const Function& function,
                                              Children arguments) const {
  node::Nodes& nodes = arguments.nodes;
  const auto constant_text = [&](size_t index) -> const std::string* {
    const Value* value = nodes[index]->constant();
    return value == nullptr ? nullptr : TextOf(*value);
  };
  const bool has_modifiers = nodes.size() == 3;
  const std::string* pattern = constant_text(1);
  const std::string* modifiers = has_modifiers ? constant_text(2) : nullptr;
  if (pattern == nullptr || (has_modifiers && modifiers == nullptr))
    return Part{node::Call(function, std::move(nodes)), false};
  Result<model::Regex> regex =
      CompileRegex(*pattern, modifiers == nullptr ? std::string_view() : *modifiers);
  if (!regex.has_value()) return std::unexpected(errors_.InvalidConstant(at.range, regex.error()));
  return Part{node::RegexMatch(std::move(nodes[0]), *std::move(regex)), false};
}

}  // namespace orrery::sql
