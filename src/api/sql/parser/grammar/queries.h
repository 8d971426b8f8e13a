// Rules for queries and their clauses. ast/query.h says what they become.
#pragma once

#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/grammar/token_stream.h"

namespace orrery::sql::grammar {

// SELECT and the clauses that follow it, each at most once and in this order:
// FROM, WHERE, GROUP BY, ORDER BY, OFFSET .. LIMIT.
ast::Query ParseQuery(TokenStream& stream);

// The rules below belong to ParseQuery and are apart only because each is an idea of its own.
ast::Select ParseSelect(TokenStream& stream);                // "SELECT" is next
std::vector<ast::Source> ParseSources(TokenStream& stream);  // after "FROM"
ast::OrderBy ParseOrderBy(TokenStream& stream);              // after "ORDER"

// A whole number of decimal digits that fits 32 bits, or a parameter.
ast::RowCount ParseRowCount(TokenStream& stream, CountClause clause);

}  // namespace orrery::sql::grammar
