// From a tree to text again, in one way of writing: keywords in capitals, aliases with AS, strings
// in double quotes, parentheses only where the tree needs them, properties with a dot where their
// names allow it.
//
// Printed text parses to the same tree, and prints the same; a text may only become longer, and
// have up to twice the nesting (NOT as an operand gets parentheses). Query plans are made of it:
// sort keys, and rewritten queries that clients send back. Pure; recursion as deep as the tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

std::string PrintQuery(const ast::Query& query);
// Without its own WHERE; those of subqueries stay.
std::string PrintQueryWithoutFilter(const ast::Query& query);
std::string PrintExpression(const ast::Expression& expression);

// The same as Azure writes what it rewrites: each operator in parentheses, so that clients may put
// the text beside an operator of their own, and each clause on a line of its own. A tree deeper
// than kFullDepthMax is printed as above: with all parentheses it could be too
// nested to be parsed again.
inline constexpr uint32_t kFullDepthMax = 100;
std::string PrintQueryInFull(const ast::Query& query);
std::string PrintExpressionInFull(const ast::Expression& expression);

// Returns whether `name` can stand after a dot in any dialect: a word that is no keyword of any
// kind.
bool IsPlainProperty(std::string_view name);

}  // namespace orrery::sql
