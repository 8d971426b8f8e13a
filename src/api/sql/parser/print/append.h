// The same as print.h, at the end of a text that has begun, so that a deep tree costs no copies.
#pragma once

#include <cstdint>
#include <string>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

struct PrintStyle {
  // Every operator in parentheses, every clause on a line of its own, subqueries indented.
  bool is_full = false;
  uint32_t indent = 0;  // of the clauses, in levels; only of the full style
};

void AppendQuery(std::string& out, const ast::Query& query, PrintStyle style = {});

// In parentheses when the expression's operator holds less tightly than `floor`.
void AppendExpression(std::string& out, const ast::Expression& expression,
                      ast::Precedence floor = ast::Precedence::kConditional, PrintStyle style = {});

// A query in parentheses.
void AppendSubquery(std::string& out, const ast::Query& query, PrintStyle style);

}  // namespace orrery::sql
