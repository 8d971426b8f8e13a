// For tests: the shape of a tree as text in which nothing is left to precedence, with one pair of
// parentheses for each node that has others below it. Two trees are the same when their shapes are;
// positions do not count.
//
//   1 + 2 * c.a    (+ 1 (* 2 (.a c)))
//
// tree_shape_test.cc has them: only the test program does.
#pragma once

#include <string>

#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

std::string ShapeOf(const ast::Expression& expression);
std::string ShapeOf(const ast::Query& query);

}  // namespace orrery::sql
