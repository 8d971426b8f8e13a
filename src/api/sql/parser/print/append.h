// The same as print.h, at the end of a text that has begun, so that a deep tree costs no copies.
#pragma once

#include <string>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

void AppendQuery(std::string& out, const ast::Query& query);

// In parentheses when the expression's operator holds less tightly than `floor`.
void AppendExpression(std::string& out, const ast::Expression& expression,
                      ast::Precedence floor = ast::Precedence::kConditional);

}  // namespace orrery::sql
