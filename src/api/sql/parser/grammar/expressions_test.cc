#include "api/sql/parser/grammar/expressions.h"

#include <gtest/gtest.h>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

struct ExpressionCase {
  std::string_view text;
  std::string_view shape;
};

void ExpectShape(const ExpressionCase& given) {
  const auto expression = ParseExpression(given.text);
  ASSERT_TRUE(expression.has_value()) << given.text << "\n" << expression.error().message;
  EXPECT_EQ(ShapeOf(*expression), given.shape) << given.text;
}

TEST(Expressions, EachOperatorHoldsTighterThanTheOneBefore) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a ?? b ? c : d", "(?: (?? a b) c d)"},
           ExpressionCase{"a ? b ?? c : d ?? e", "(?: a (?? b c) (?? d e))"},
           ExpressionCase{"a OR b ?? c OR d", "(?? (OR a b) (OR c d))"},
           ExpressionCase{"a AND b OR c AND d", "(OR (AND a b) (AND c d))"},
           ExpressionCase{"NOT a AND NOT b", "(AND (NOT a) (NOT b))"},
           ExpressionCase{"NOT a = b", "(NOT (= a b))"},
           ExpressionCase{"NOT a IN (1)", "(NOT (in a 1))"},
           ExpressionCase{"a = b < c", "(= a (< b c))"},
           ExpressionCase{"a < b = c", "(= (< a b) c)"},
           ExpressionCase{"a = b IN (c)", "(= a (in b c))"},
           ExpressionCase{"a < b BETWEEN c AND d", "(< a (between b c d))"},
           ExpressionCase{"a || b LIKE c || d", "(like (|| a b) (|| c d))"},
           ExpressionCase{"a || b = c || d", "(= (|| a b) (|| c d))"},
           ExpressionCase{"a || b | c", "(|| a (| b c))"},
           ExpressionCase{"a | b ^ c", "(| a (^ b c))"},
           ExpressionCase{"a ^ b & c", "(^ a (& b c))"},
           ExpressionCase{"a & b << c", "(& a (<< b c))"},
           ExpressionCase{"a << b + c", "(<< a (+ b c))"},
           ExpressionCase{"a + b * c", "(+ a (* b c))"},
           ExpressionCase{"a * b + c", "(+ (* a b) c)"},
           ExpressionCase{"-a * ~b", "(* (- a) (~ b))"},
           ExpressionCase{"-a.b[0]", "(- ([] (.b a) 0))"},
           ExpressionCase{"a & 1 = 0", "(= (& a 1) 0)"},
           ExpressionCase{"(a + b) * c", "(* (+ a b) c)"},
       })
    ExpectShape(given);
}

TEST(Expressions, ChainsLeanToTheLeft) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a - b - c", "(- (- a b) c)"},
           ExpressionCase{"a - (b - c)", "(- a (- b c))"},
           ExpressionCase{"a / b * c % d", "(% (* (/ a b) c) d)"},
           ExpressionCase{"a << b >> c >>> d", "(>>> (>> (<< a b) c) d)"},
           ExpressionCase{"a || b || c", "(|| (|| a b) c)"},
           ExpressionCase{"a ?? b ?? c", "(?? (?? a b) c)"},
           ExpressionCase{"a = b != c <> d", "(!= (!= (= a b) c) d)"},
           ExpressionCase{"a < b <= c > d >= e", "(>= (> (<= (< a b) c) d) e)"},
           ExpressionCase{"a ? b : c ? d : e", "(?: a b (?: c d e))"},
           ExpressionCase{"a ? b ? c : d : e", "(?: a (?: b c d) e)"},
       })
    ExpectShape(given);
}

TEST(Expressions, AndAndOrHaveAllTheirOperandsInOneNode) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a AND b AND c AND d", "(AND a b c d)"},
           ExpressionCase{"a OR b OR c", "(OR a b c)"},
           ExpressionCase{"(a AND b) AND c", "(AND (AND a b) c)"},
           ExpressionCase{"a OR (b OR c)", "(OR a (OR b c))"},
           ExpressionCase{"a OR b AND c OR d", "(OR a (AND b c) d)"},
       })
    ExpectShape(given);
}

TEST(Expressions, NotMayStandInsideTighterOperators) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a = NOT b", "(= a (NOT b))"},
           ExpressionCase{"a = NOT b = c AND d", "(AND (= a (NOT (= b c))) d)"},
           ExpressionCase{"NOT NOT a", "(NOT (NOT a))"},
           ExpressionCase{"1 + NOT a", "(+ 1 (NOT a))"},
       })
    ExpectShape(given);
}

TEST(Expressions, Predicates) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a IN (1, 'x', @p)", "(in a 1 'x' @p)"},
           ExpressionCase{"a NOT IN (b OR c)", "(not-in a (OR b c))"},
           ExpressionCase{"a BETWEEN 1 AND 2 AND b", "(AND (between a 1 2) b)"},
           ExpressionCase{"a NOT BETWEEN b + 1 AND c", "(not-between a (+ b 1) c)"},
           ExpressionCase{"a LIKE 'x%'", "(like a 'x%')"},
           ExpressionCase{"a NOT LIKE 'x!%' ESCAPE '!' OR b",
                          "(OR (not-like escape '!' a 'x!%') b)"},
       })
    ExpectShape(given);
}

TEST(Expressions, Accesses) {
  for (const ExpressionCase& given : {
           ExpressionCase{"a.b.c", "(.c (.b a))"},
           ExpressionCase{"a[\"b\"]['c d']", "(.c d (.b a))"},
           ExpressionCase{"a[0][@p][b.c]", "([] ([] ([] a 0) @p) (.c b))"},
           ExpressionCase{"a['x' || 'y']", "([] a (|| 'x' 'y'))"},
           ExpressionCase{"a[('b')]", "(.b a)"},
           ExpressionCase{"a.select.FROM.null", "(.null (.FROM (.select a)))"},
           ExpressionCase{"f(1).x", "(.x (call f 1))"},
           ExpressionCase{"{a: 1}.a", "(.a (object (a: 1)))"},
           ExpressionCase{"a.B", "(.B a)"},
       })
    ExpectShape(given);
}

TEST(Expressions, ConstructorsAndLiterals) {
  for (const ExpressionCase& given : {
           ExpressionCase{"[]", "(array)"},
           ExpressionCase{"[1, [2], {}]", "(array 1 (array 2) (object))"},
           ExpressionCase{"{a: 1, 'b c': 2, \"in\": 3, order: 4}",
                          "(object (a: 1) (b c: 2) (in: 3) (order: 4))"},
           ExpressionCase{"{a: b ? c : d}", "(object (a: (?: b c d)))"},
           ExpressionCase{"true", "true"},
           ExpressionCase{"FALSE", "false"},
           ExpressionCase{"Null", "null"},
           ExpressionCase{"undefined", "undefined"},
           ExpressionCase{"0xFf", "0xFf"},
           ExpressionCase{"1.50e-3", "1.50e-3"},
           ExpressionCase{"-1", "(- 1)"},
           ExpressionCase{"'\\u00e9'", "'\u00e9'"},
           ExpressionCase{"@a_1", "@a_1"},
           ExpressionCase{"{documentdb-x-0}", "<documentdb-x-0>"},
       })
    ExpectShape(given);
}

TEST(Expressions, CallsAndSubqueries) {
  for (const ExpressionCase& given : {
           ExpressionCase{"pi()", "(call pi)"},
           ExpressionCase{"Concat(a, 'b', 1)", "(call Concat a 'b' 1)"},
           ExpressionCase{"udf.f(a)", "(udf f a)"},
           ExpressionCase{"udf.a.b", "(.b (.a udf))"},
           ExpressionCase{"first", "first"},
           ExpressionCase{"first(a)", "(call first a)"},
           ExpressionCase{"first(SELECT 1)", "(first (select (list 1)))"},
           ExpressionCase{"last((SELECT 1))", "(call last (scalar (select (list 1))))"},
           ExpressionCase{"EXISTS(SELECT 1)", "(exists (select (list 1)))"},
           ExpressionCase{"NOT exists (SELECT 1)", "(NOT (exists (select (list 1))))"},
           ExpressionCase{"ARRAY(SELECT 1)[0]", "([] (array-of (select (list 1))) 0)"},
           ExpressionCase{"ALL(SELECT 1)", "(all (select (list 1)))"},
           ExpressionCase{"(SELECT VALUE 1) + 1", "(+ (scalar (select (value 1))) 1)"},
       })
    ExpectShape(given);
}

TEST(Expressions, KnowWhichPartOfTheTextTheyAre) {
  const auto expression = ParseExpression("  a.bc + (d)");
  ASSERT_TRUE(expression.has_value());
  EXPECT_EQ(expression->range, (SourceRange{.start = 2, .end = 12}));
  const auto* sum = expression->As<ast::Binary>();
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->left->range, (SourceRange{.start = 2, .end = 6}));
  EXPECT_EQ(sum->right->range, (SourceRange{.start = 10, .end = 11}));
}

}  // namespace
}  // namespace orrery::sql
