#include "api/sql/parser/grammar/expressions.h"

#include <gtest/gtest.h>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

struct Case {
  std::string_view text;
  std::string_view shape;
};

void ExpectShape(const Case& given) {
  const auto expression = ParseExpression(given.text);
  ASSERT_TRUE(expression.has_value()) << given.text << "\n" << expression.error().message;
  EXPECT_EQ(ShapeOf(*expression), given.shape) << given.text;
}

TEST(Expressions, EachOperatorHoldsTighterThanTheOneBefore) {
  for (const Case& given : {
           Case{"a ?? b ? c : d", "(?: (?? a b) c d)"},
           Case{"a ? b ?? c : d ?? e", "(?: a (?? b c) (?? d e))"},
           Case{"a OR b ?? c OR d", "(?? (OR a b) (OR c d))"},
           Case{"a AND b OR c AND d", "(OR (AND a b) (AND c d))"},
           Case{"NOT a AND NOT b", "(AND (NOT a) (NOT b))"},
           Case{"NOT a = b", "(NOT (= a b))"},
           Case{"NOT a IN (1)", "(NOT (in a 1))"},
           Case{"a = b < c", "(= a (< b c))"},
           Case{"a < b = c", "(= (< a b) c)"},
           Case{"a = b IN (c)", "(= a (in b c))"},
           Case{"a < b BETWEEN c AND d", "(< a (between b c d))"},
           Case{"a || b LIKE c || d", "(like (|| a b) (|| c d))"},
           Case{"a || b = c || d", "(= (|| a b) (|| c d))"},
           Case{"a || b | c", "(|| a (| b c))"},
           Case{"a | b ^ c", "(| a (^ b c))"},
           Case{"a ^ b & c", "(^ a (& b c))"},
           Case{"a & b << c", "(& a (<< b c))"},
           Case{"a << b + c", "(<< a (+ b c))"},
           Case{"a + b * c", "(+ a (* b c))"},
           Case{"a * b + c", "(+ (* a b) c)"},
           Case{"-a * ~b", "(* (- a) (~ b))"},
           Case{"-a.b[0]", "(- ([] (.b a) 0))"},
           Case{"a & 1 = 0", "(= (& a 1) 0)"},
           Case{"(a + b) * c", "(* (+ a b) c)"},
       })
    ExpectShape(given);
}

TEST(Expressions, ChainsLeanToTheLeft) {
  for (const Case& given : {
           Case{"a - b - c", "(- (- a b) c)"},
           Case{"a - (b - c)", "(- a (- b c))"},
           Case{"a / b * c % d", "(% (* (/ a b) c) d)"},
           Case{"a << b >> c >>> d", "(>>> (>> (<< a b) c) d)"},
           Case{"a || b || c", "(|| (|| a b) c)"},
           Case{"a ?? b ?? c", "(?? (?? a b) c)"},
           Case{"a = b != c <> d", "(!= (!= (= a b) c) d)"},
           Case{"a < b <= c > d >= e", "(>= (> (<= (< a b) c) d) e)"},
           Case{"a ? b : c ? d : e", "(?: a b (?: c d e))"},
           Case{"a ? b ? c : d : e", "(?: a (?: b c d) e)"},
       })
    ExpectShape(given);
}

TEST(Expressions, AndAndOrHaveAllTheirOperandsInOneNode) {
  for (const Case& given : {
           Case{"a AND b AND c AND d", "(AND a b c d)"},
           Case{"a OR b OR c", "(OR a b c)"},
           Case{"(a AND b) AND c", "(AND (AND a b) c)"},
           Case{"a OR (b OR c)", "(OR a (OR b c))"},
           Case{"a OR b AND c OR d", "(OR a (AND b c) d)"},
       })
    ExpectShape(given);
}

TEST(Expressions, NotMayStandInsideTighterOperators) {
  for (const Case& given : {
           Case{"a = NOT b", "(= a (NOT b))"},
           Case{"a = NOT b = c AND d", "(AND (= a (NOT (= b c))) d)"},
           Case{"NOT NOT a", "(NOT (NOT a))"},
           Case{"1 + NOT a", "(+ 1 (NOT a))"},
       })
    ExpectShape(given);
}

TEST(Expressions, Predicates) {
  for (const Case& given : {
           Case{"a IN (1, 'x', @p)", "(in a 1 'x' @p)"},
           Case{"a NOT IN (b OR c)", "(not-in a (OR b c))"},
           Case{"a BETWEEN 1 AND 2 AND b", "(AND (between a 1 2) b)"},
           Case{"a NOT BETWEEN b + 1 AND c", "(not-between a (+ b 1) c)"},
           Case{"a LIKE 'x%'", "(like a 'x%')"},
           Case{"a NOT LIKE 'x!%' ESCAPE '!' OR b", "(OR (not-like escape '!' a 'x!%') b)"},
       })
    ExpectShape(given);
}

TEST(Expressions, Accesses) {
  for (const Case& given : {
           Case{"a.b.c", "(.c (.b a))"},
           Case{"a[\"b\"]['c d']", "(.c d (.b a))"},
           Case{"a[0][@p][b.c]", "([] ([] ([] a 0) @p) (.c b))"},
           Case{"a['x' || 'y']", "([] a (|| 'x' 'y'))"},
           Case{"a[('b')]", "(.b a)"},
           Case{"a.select.FROM.null", "(.null (.FROM (.select a)))"},
           Case{"f(1).x", "(.x (call f 1))"},
           Case{"{a: 1}.a", "(.a (object (a: 1)))"},
           Case{"a.B", "(.B a)"},
       })
    ExpectShape(given);
}

TEST(Expressions, ConstructorsAndLiterals) {
  for (const Case& given : {
           Case{"[]", "(array)"},
           Case{"[1, [2], {}]", "(array 1 (array 2) (object))"},
           Case{"{a: 1, 'b c': 2, \"in\": 3, order: 4}",
                "(object (a: 1) (b c: 2) (in: 3) (order: 4))"},
           Case{"{a: b ? c : d}", "(object (a: (?: b c d)))"},
           Case{"true", "true"},
           Case{"FALSE", "false"},
           Case{"Null", "null"},
           Case{"undefined", "undefined"},
           Case{"0xFf", "0xFf"},
           Case{"1.50e-3", "1.50e-3"},
           Case{"-1", "(- 1)"},
           Case{"'\\u00e9'", "'\u00e9'"},
           Case{"@a_1", "@a_1"},
           Case{"{documentdb-x-0}", "<documentdb-x-0>"},
       })
    ExpectShape(given);
}

TEST(Expressions, CallsAndSubqueries) {
  for (const Case& given : {
           Case{"pi()", "(call pi)"},
           Case{"Concat(a, 'b', 1)", "(call Concat a 'b' 1)"},
           Case{"udf.f(a)", "(udf f a)"},
           Case{"udf.a.b", "(.b (.a udf))"},
           Case{"first", "first"},
           Case{"first(a)", "(call first a)"},
           Case{"first(SELECT 1)", "(first (select (list 1)))"},
           Case{"last((SELECT 1))", "(call last (scalar (select (list 1))))"},
           Case{"EXISTS(SELECT 1)", "(exists (select (list 1)))"},
           Case{"NOT exists (SELECT 1)", "(NOT (exists (select (list 1))))"},
           Case{"ARRAY(SELECT 1)[0]", "([] (array-of (select (list 1))) 0)"},
           Case{"ALL(SELECT 1)", "(all (select (list 1)))"},
           Case{"(SELECT VALUE 1) + 1", "(+ (scalar (select (value 1))) 1)"},
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
