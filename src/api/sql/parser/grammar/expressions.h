// Rules for expressions. ast/expression.h says what they become, ast/operator.h which operator
// comes before which.
#pragma once

#include <cstdint>
#include <vector>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/grammar/token_stream.h"

namespace orrery::sql::grammar {

ast::Expression ParseExpression(TokenStream& stream);

// expression ("," expression)*
std::vector<ast::Expression> ParseExpressions(TokenStream& stream);

// An expression whose operators outside parentheses all hold at least as tightly as `floor`.
ast::Expression ParseOperation(TokenStream& stream, ast::Precedence floor);

// The predicates that may follow a value that starts at `start`: [NOT] IN, BETWEEN, LIKE.
bool AtPredicate(const TokenStream& stream);
ast::Expression ParsePredicate(TokenStream& stream, uint32_t start, ast::Expression value);

// Literals, names, constructors, calls, parentheses and subqueries, with the accesses behind them.
ast::Expression ParsePrimary(TokenStream& stream);

// Parses what may follow a value that starts at `start`, any number of times: ".name", "[index]".
ast::Expression ParseAccesses(TokenStream& stream, uint32_t start, ast::Expression value);

}  // namespace orrery::sql::grammar
