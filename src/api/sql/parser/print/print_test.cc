#include "api/sql/parser/print/print.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "api/sql/parser/accepted_queries.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

struct PrintCase {
  std::string_view text;
  std::string_view printed;
};

TEST(Print, WhatIsPrintedParsesToTheSameTree) {
  for (const std::string_view text : kAcceptedQueries) {
    const auto query = ParseQuery(text);
    ASSERT_TRUE(query.has_value()) << text;
    const std::string printed = PrintQuery(*query);
    const auto again = ParseQuery(printed);
    ASSERT_TRUE(again.has_value()) << text << "\n" << printed << "\n" << again.error().message;
    EXPECT_EQ(ShapeOf(*again), ShapeOf(*query)) << printed;
    EXPECT_EQ(PrintQuery(*again), printed);
  }
}

TEST(Print, Queries) {
  for (const PrintCase& given : {
           PrintCase{"select distinct top 5 c.id x,c.n from c",
                     "SELECT DISTINCT TOP 5 c.id AS x, c.n FROM c"},
           PrintCase{"select value {a:1,'b':[c.x]} from c",
                     R"(SELECT VALUE {"a": 1, "b": [c.x]} FROM c)"},
           PrintCase{"select * from root r join t in r.ts join (select value 1) s",
                     "SELECT * FROM root AS r JOIN t IN r.ts JOIN (SELECT VALUE 1) AS s"},
           PrintCase{"select * from c where not(c.a<>1) group by c.a,c.b",
                     "SELECT * FROM c WHERE NOT c.a != 1 GROUP BY c.a, c.b"},
           PrintCase{"select * from c order by c.a,c.b asc,c.d desc offset 1 limit @n",
                     "SELECT * FROM c ORDER BY c.a, c.b ASC, c.d DESC OFFSET 1 LIMIT @n"},
           PrintCase{"select * from c order by rank f(c.a)",
                     "SELECT * FROM c ORDER BY RANK f(c.a)"},
           PrintCase{
               "SELECT r._rid FROM Root AS r WHERE ({documentdb-formattableorderbyquery-filter})",
               "SELECT r._rid FROM Root AS r WHERE {documentdb-formattableorderbyquery-filter}"},
       }) {
    EXPECT_EQ(PrintQuery(ParseQuery(given.text).value()), given.printed);
  }
}

TEST(Print, ExpressionsHaveTheParenthesesTheyNeed) {
  for (const PrintCase& given : {
           PrintCase{"((a+b))*c", "(a + b) * c"},
           PrintCase{"a+(b*c)", "a + b * c"},
           PrintCase{"a-(b-c)", "a - (b - c)"},
           PrintCase{"(a-b)-c", "a - b - c"},
           PrintCase{"- -1", "- -1"},
           PrintCase{"-(-(+(~1)))", "- - + ~1"},
           PrintCase{"-(a+b)", "-(a + b)"},
           PrintCase{"1- -1", "1 - -1"},
           PrintCase{"not (a and b)", "NOT (a AND b)"},
           PrintCase{"(not a)=b", "(NOT a) = b"},
           PrintCase{"(a and b) and c", "(a AND b) AND c"},
           PrintCase{"(a ? b : c) ? d : (e ? f : g)", "(a ? b : c) ? d : e ? f : g"},
           PrintCase{"(a ?? b).c", "(a ?? b).c"},
           PrintCase{"(1).x", "(1).x"},
           PrintCase{"(-1)[0]", "(-1)[0]"},
           PrintCase{"a in ((b or c),d)", "a IN (b OR c, d)"},
           PrintCase{"(a in (1)) in (2)", "a IN (1) IN (2)"},
           PrintCase{"not not a", "NOT NOT a"},
           PrintCase{"a = not b", "a = (NOT b)"},
           PrintCase{"a not between (b) and (c and d)", "a NOT BETWEEN b AND (c AND d)"},
           PrintCase{"a like (b||'%') escape '!'", R"(a LIKE b || "%" ESCAPE "!")"},
           PrintCase{"f(a,(select 1))", "f(a, (SELECT 1))"},
           PrintCase{"udf.f()", "udf.f()"},
           PrintCase{"exists(select 1)", "EXISTS(SELECT 1)"},
       }) {
    EXPECT_EQ(PrintExpression(ParseExpression(given.text).value()), given.printed);
  }
}

TEST(Print, PropertiesHaveADotWhereEveryDialectAllowsIt) {
  for (const PrintCase& given : {
           PrintCase{"c['a']", "c.a"},
           PrintCase{"c['a b']", R"(c["a b"])"},
           PrintCase{"c['1a']", R"(c["1a"])"},
           PrintCase{"c['']", R"(c[""])"},
           PrintCase{"c.order", R"(c["order"])"},
           PrintCase{"c.Rank", R"(c["Rank"])"},
           PrintCase{"c['it\\'s']", R"(c["it's"])"},
           PrintCase{"c['\u00e9']", "c[\"\u00e9\"]"},
       }) {
    EXPECT_EQ(PrintExpression(ParseExpression(given.text).value()), given.printed);
  }
}

TEST(Print, InFullEveryOperatorHasParentheses) {
  for (const PrintCase& given : {
           PrintCase{"a", "a"},
           PrintCase{"a+b*c", "(a + (b * c))"},
           PrintCase{"-1", "-1"},
           PrintCase{"-a", "(-a)"},
           PrintCase{"(-1)[0]", "(-1)[0]"},
           PrintCase{"not a and b or c = 1", "(((NOT a) AND b) OR (c = 1))"},
           PrintCase{"a and b and c", "(a AND b AND c)"},
           PrintCase{"a ?? b", "(a ?? b)"},
           PrintCase{"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
           PrintCase{"a in (1, b+1)", "(a IN (1, (b + 1)))"},
           PrintCase{"a not between 1 and 2", "(a NOT BETWEEN 1 AND 2)"},
           PrintCase{"a like 'x' escape '!'", R"((a LIKE "x" ESCAPE "!"))"},
           PrintCase{"f(a+1, [b-1], {c: d/1})", R"(f((a + 1), [(b - 1)], {"c": (d / 1)}))"},
       }) {
    EXPECT_EQ(PrintExpressionInFull(ParseExpression(given.text).value()), given.printed);
  }
}

TEST(Print, InFullEveryClauseHasALine) {
  EXPECT_EQ(PrintQueryInFull(ParseQuery("select c.a from c join (select value t from t in c.ts "
                                        "where t > 1) s where exists(select 1) group by c.a "
                                        "order by c.a offset 1 limit 2")
                                 .value()),
            "SELECT c.a\n"
            "FROM c\n"
            "JOIN (\n"
            "    SELECT VALUE t\n"
            "    FROM t IN c.ts\n"
            "    WHERE (t > 1)\n"
            ") AS s\n"
            "WHERE EXISTS(\n"
            "    SELECT 1\n"
            ")\n"
            "GROUP BY c.a\n"
            "ORDER BY c.a\n"
            "OFFSET 1 LIMIT 2");
}

TEST(Print, InFullParsesToTheSameTree) {
  for (const std::string_view text : kAcceptedQueries) {
    const auto query = ParseQuery(text);
    ASSERT_TRUE(query.has_value()) << text;
    const std::string printed = PrintQueryInFull(*query);
    const auto again = ParseQuery(printed);
    ASSERT_TRUE(again.has_value()) << text << "\n" << printed << "\n" << again.error().message;
    EXPECT_EQ(ShapeOf(*again), ShapeOf(*query)) << printed;
  }
  // At any depth.
  for (const size_t depth : {50u, 99u, 100u, 101u, 200u}) {
    std::string text = "a";
    for (size_t i = 0; i < depth; ++i) text += " + 1";
    const auto deep = ParseExpression(text);
    ASSERT_TRUE(deep.has_value());
    EXPECT_TRUE(ParseExpression(PrintExpressionInFull(*deep)).has_value()) << depth;
  }
}

// Random token sequences: few parse, and those that do must come back.
TEST(Print, RandomExpressionsComeBack) {
  constexpr uint32_t kSeed = 20240607;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  constexpr std::string_view kPrefixes[] = {"", "", "", "NOT ", "-", "~", "("};
  constexpr std::string_view kOperands[] = {
      "a",      "1",      ".5",          "'x'",  "c.d",     "@p",         "f(1)",
      "[1, b]", "{x: 1}", "c['e f'][0]", "null", "udf.g()", "(SELECT 1)", "EXISTS(SELECT 1)",
      "(a)"};
  constexpr std::string_view kLinks[] = {
      "+",  "-",  "*",   "/",     "%",  "||",     "|",         "&",         "^",
      "<<", ">>", ">>>", "=",     "!=", "<",      ">=",        " AND ",     " OR ",
      "??", "?",  ":",   " IN (", ") ", " LIKE ", " BETWEEN ", " NOT LIKE "};
  const auto pick = [&](const auto& choices) { return choices[random() % std::size(choices)]; };
  int parsed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    const size_t links = random() % 6;
    for (size_t i = 0; i <= links; ++i) {
      if (i > 0) text += pick(kLinks);
      text += pick(kPrefixes);
      text += pick(kOperands);
    }
    for (size_t i = random() % 3; i > 0; --i) text += ')';
    const auto tree = ParseExpression(text);
    if (!tree) continue;
    ++parsed;
    const std::string printed = PrintExpression(*tree);
    const auto again = ParseExpression(printed);
    ASSERT_TRUE(again.has_value()) << text << "\n" << printed;
    ASSERT_EQ(ShapeOf(*again), ShapeOf(*tree)) << text << "\n" << printed;
  }
  EXPECT_GT(parsed, 1'000);
}

}  // namespace
}  // namespace orrery::sql
