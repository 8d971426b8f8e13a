// The parts of a tree, one level at a time, for those who look for something in it.
//
// Recursion is the caller's: as deep as the tree, which the parser bounds.
#pragma once

#include <type_traits>
#include <variant>

#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

// Calls `on_expression` for each operand of the expression, `on_query` for its subquery. Here and
// below a tree that is not constant is shown to be changed.
template <typename Expression, typename OnExpression, typename OnQuery>
void ForEachChild(Expression& expression, OnExpression&& on_expression, OnQuery&& on_query) {
  const auto each = [&](auto& list) {
    for (auto& element : list) on_expression(element);
  };
  std::visit(
      [&](auto& node) {
        using Node = std::remove_cvref_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, ast::PropertyAccess>) {
          on_expression(*node.object);
        } else if constexpr (std::is_same_v<Node, ast::IndexAccess>) {
          on_expression(*node.object);
          on_expression(*node.index);
        } else if constexpr (std::is_same_v<Node, ast::ArrayConstructor>) {
          each(node.elements);
        } else if constexpr (std::is_same_v<Node, ast::ObjectConstructor>) {
          for (auto& property : node.properties) on_expression(property.value);
        } else if constexpr (std::is_same_v<Node, ast::FunctionCall>) {
          each(node.arguments);
        } else if constexpr (std::is_same_v<Node, ast::Unary>) {
          on_expression(*node.operand);
        } else if constexpr (std::is_same_v<Node, ast::Binary>) {
          on_expression(*node.left);
          on_expression(*node.right);
        } else if constexpr (std::is_same_v<Node, ast::Logical>) {
          each(node.operands);
        } else if constexpr (std::is_same_v<Node, ast::Conditional>) {
          on_expression(*node.condition);
          on_expression(*node.yes);
          on_expression(*node.no);
        } else if constexpr (std::is_same_v<Node, ast::In>) {
          on_expression(*node.value);
          each(node.candidates);
        } else if constexpr (std::is_same_v<Node, ast::Between>) {
          on_expression(*node.value);
          on_expression(*node.low);
          on_expression(*node.high);
        } else if constexpr (std::is_same_v<Node, ast::Like>) {
          on_expression(*node.value);
          on_expression(*node.pattern);
        } else if constexpr (std::is_same_v<Node, ast::Subquery>) {
          on_query(*node.query);
        }
      },
      expression.node);
}

// Calls `on_expression` for each expression that SELECT computes.
template <typename Select, typename OnExpression>
void ForEachSelected(Select& select, OnExpression&& on_expression) {
  if (auto* value = std::get_if<ast::SelectValue>(&select.what)) on_expression(value->value);
  if (auto* list = std::get_if<ast::SelectList>(&select.what))
    for (auto& item : list->items) on_expression(item.value);
}

// The same for all clauses of the query, but for its sources.
template <typename Query, typename OnExpression>
void ForEachClause(Query& query, OnExpression&& on_expression) {
  ForEachSelected(query.select, on_expression);
  if (query.where.has_value()) on_expression(*query.where);
  for (auto& key : query.group_by) on_expression(key);
  if (!query.order_by.has_value()) return;
  for (auto& ordering : query.order_by->orderings) on_expression(ordering.value);
}

// The name of an alias that the expression is, or is a path below; null when it is neither.
inline const ast::Identifier* RootOf(const ast::Expression& expression) {
  const ast::Expression* at = &expression;
  while (true) {
    if (const auto* property = at->As<ast::PropertyAccess>()) {
      at = property->object.get();
    } else if (const auto* index = at->As<ast::IndexAccess>()) {
      at = index->object.get();
    } else {
      return at->As<ast::Identifier>();
    }
  }
}

}  // namespace orrery::sql
