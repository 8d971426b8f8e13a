// Makes the nodes of the tree, so that every one is counted and knows its depth and its range.
#pragma once

#include <cstdint>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/grammar/token_stream.h"

namespace orrery::sql::grammar {

// The expression that reaches from `start` to the last token taken.
ast::Expression Build(TokenStream& stream, uint32_t start, ast::Expression::Node node);

inline ast::ExpressionPtr Owned(ast::Expression expression) {
  return std::make_unique<ast::Expression>(std::move(expression));
}

// The depth of the deepest expression of a query whose clauses are complete.
uint32_t DepthOf(const ast::Query& query);

}  // namespace orrery::sql::grammar
