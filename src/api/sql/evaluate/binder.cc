#include "api/sql/evaluate/binder.h"

#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "api/sql/evaluate/expression_binder.h"
#include "api/sql/evaluate/number_literal.h"

namespace orrery::sql {

using ast::Expression;
using Part = ExpressionBinder::Part;

namespace {

Part ConstantPart(Value value) { return {node::Constant(std::move(value)), true}; }

// Numbers that have no digits, where nothing else has their name.
std::optional<double> NamedNumber(std::string_view name) {
  if (name == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (name == "Infinity") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

Parsed<BoundExpressionPtr> Bind(const Expression& expression, const BindContext& context) {
  return ExpressionBinder(context).BindWhole(expression);
}

Parsed<Part> ExpressionBinder::Bind(const Expression& expression) const {
  if (context_.slots != nullptr) {
    Parsed<std::optional<uint32_t>> slot = context_.slots->FindSlot(expression);
    if (!slot.has_value()) return std::unexpected(std::move(slot).error());
    if (slot->has_value()) return Part{node::Slot(**slot), false};
  }
  return std::visit([&](const auto& tree) { return BindNode(expression, tree); }, expression.node);
}

Parsed<BoundExpressionPtr> ExpressionBinder::BindWhole(const Expression& expression) const {
  Parsed<Part> part = Bind(expression);
  if (!part.has_value()) return std::unexpected(std::move(part).error());
  if (!part->is_constant) return std::move(part->node);
  return Fold(expression.range, std::move(part->node));
}

Parsed<ExpressionBinder::Children> ExpressionBinder::BindChildren(const Expressions& expressions,
                                                                  bool is_pure) const {
  std::vector<Part> parts;
  parts.reserve(expressions.size());
  Children children{.nodes = {}, .are_constant = is_pure};
  for (const Expression* expression : expressions) {
    Parsed<Part> part = Bind(*expression);
    if (!part.has_value()) return std::unexpected(std::move(part).error());
    children.are_constant = children.are_constant && part->is_constant;
    parts.push_back(*std::move(part));
  }
  children.nodes.reserve(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_constant && !children.are_constant) {
      auto folded = Fold(expressions[i]->range, std::move(parts[i].node));
      if (!folded.has_value()) return std::unexpected(std::move(folded).error());
      parts[i].node = *std::move(folded);
    }
    children.nodes.push_back(std::move(parts[i].node));
  }
  return children;
}

Parsed<BoundExpressionPtr> ExpressionBinder::Fold(SourceRange range,
                                                  BoundExpressionPtr node) const {
  Result<BoundExpressionPtr> folded = node::Fold(std::move(node));
  if (!folded.has_value()) return std::unexpected(errors_.InvalidConstant(range, folded.error()));
  return *std::move(folded);
}

ExpressionBinder::Expressions ExpressionBinder::PointersTo(
    const std::vector<Expression>& expressions) {
  Expressions pointers;
  pointers.reserve(expressions.size());
  for (const Expression& expression : expressions) pointers.push_back(&expression);
  return pointers;
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Undefined&) const {
  return ConstantPart(Value::Undefined());
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Null&) const {
  return ConstantPart(Value::Null());
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Boolean& tree) const {
  return ConstantPart(Value::Bool(tree.value));
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Number& tree) const {
  std::optional<Value> number = ParseNumber(tree.text);
  if (!number.has_value()) return std::unexpected(errors_.InvalidNumber(at.range));
  return ConstantPart(*std::move(number));
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::String& tree) const {
  return ConstantPart(Value::String(tree.text));
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Parameter& tree) const {
  std::shared_ptr<const Value> value = context_.parameters.Find(tree.name);
  if (value == nullptr && context_.parameters.may_miss()) return Part{node::Unknown(), false};
  if (value == nullptr) return std::unexpected(errors_.MissingParameter(at.range, tree.name));
  return Part{node::Constant(std::move(value)), true};
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Identifier& tree) const {
  const std::optional<uint32_t> slot = context_.scope.Find(tree.name);
  if (const auto number = slot.has_value() ? std::nullopt : NamedNumber(tree.name))
    return ConstantPart(Value::Double(*number));
  if (!slot.has_value()) return std::unexpected(errors_.UnresolvedIdentifier(at.range, tree.name));
  return Part{node::Slot(*slot), false};
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Placeholder& tree) const {
  return std::unexpected(errors_.OpenPlaceholder(at.range, tree.name));
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Subquery& tree) const {
  if (context_.subqueries == nullptr)
    return std::unexpected(errors_.Unsupported(at.range, "Subqueries"));
  Parsed<BoundExpressionPtr> bound = context_.subqueries->BindSubquery(tree, context_.scope);
  if (!bound.has_value()) return std::unexpected(std::move(bound).error());
  return Part{*std::move(bound), false};
}

}  // namespace orrery::sql
