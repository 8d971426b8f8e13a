#include "api/sql/parser/print/print.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "api/sql/parser/accepted_queries.h"
#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

struct Case {
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
  for (const Case& given : {
           Case{"select distinct top 5 c.id x,c.n from c",
                "SELECT DISTINCT TOP 5 c.id AS x, c.n FROM c"},
           Case{"select value {a:1,'b':[c.x]} from c",
                R"(SELECT VALUE {"a": 1, "b": [c.x]} FROM c)"},
           Case{"select * from root r join t in r.ts join (select value 1) s",
                "SELECT * FROM root AS r JOIN t IN r.ts JOIN (SELECT VALUE 1) AS s"},
           Case{"select * from c where not(c.a<>1) group by c.a,c.b",
                "SELECT * FROM c WHERE NOT c.a != 1 GROUP BY c.a, c.b"},
           Case{"select * from c order by c.a,c.b asc,c.d desc offset 1 limit @n",
                "SELECT * FROM c ORDER BY c.a, c.b ASC, c.d DESC OFFSET 1 LIMIT @n"},
           Case{"select * from c order by rank f(c.a)", "SELECT * FROM c ORDER BY RANK f(c.a)"},
           Case{"SELECT r._rid FROM Root AS r WHERE ({documentdb-formattableorderbyquery-filter})",
                "SELECT r._rid FROM Root AS r WHERE {documentdb-formattableorderbyquery-filter}"},
       }) {
    EXPECT_EQ(PrintQuery(ParseQuery(given.text).value()), given.printed);
  }
}

TEST(Print, ExpressionsHaveTheParenthesesTheyNeed) {
  for (const Case& given : {
           Case{"((a+b))*c", "(a + b) * c"},
           Case{"a+(b*c)", "a + b * c"},
           Case{"a-(b-c)", "a - (b - c)"},
           Case{"(a-b)-c", "a - b - c"},
           Case{"- -1", "- -1"},
           Case{"-(-(+(~1)))", "- - + ~1"},
           Case{"-(a+b)", "-(a + b)"},
           Case{"1- -1", "1 - -1"},
           Case{"not (a and b)", "NOT (a AND b)"},
           Case{"(not a)=b", "(NOT a) = b"},
           Case{"(a and b) and c", "(a AND b) AND c"},
           Case{"(a ? b : c) ? d : (e ? f : g)", "(a ? b : c) ? d : e ? f : g"},
           Case{"(a ?? b).c", "(a ?? b).c"},
           Case{"(1).x", "(1).x"},
           Case{"(-1)[0]", "(-1)[0]"},
           Case{"a in ((b or c),d)", "a IN (b OR c, d)"},
           Case{"(a in (1)) in (2)", "a IN (1) IN (2)"},
           Case{"not not a", "NOT NOT a"},
           Case{"a = not b", "a = (NOT b)"},
           Case{"a not between (b) and (c and d)", "a NOT BETWEEN b AND (c AND d)"},
           Case{"a like (b||'%') escape '!'", R"(a LIKE b || "%" ESCAPE "!")"},
           Case{"f(a,(select 1))", "f(a, (SELECT 1))"},
           Case{"udf.f()", "udf.f()"},
           Case{"exists(select 1)", "EXISTS(SELECT 1)"},
       }) {
    EXPECT_EQ(PrintExpression(ParseExpression(given.text).value()), given.printed);
  }
}

TEST(Print, PropertiesHaveADotWhereEveryDialectAllowsIt) {
  for (const Case& given : {
           Case{"c['a']", "c.a"},
           Case{"c['a b']", R"(c["a b"])"},
           Case{"c['1a']", R"(c["1a"])"},
           Case{"c['']", R"(c[""])"},
           Case{"c.order", R"(c["order"])"},
           Case{"c.Rank", R"(c["Rank"])"},
           Case{"c['it\\'s']", R"(c["it's"])"},
           Case{"c['\u00e9']", "c[\"\u00e9\"]"},
       }) {
    EXPECT_EQ(PrintExpression(ParseExpression(given.text).value()), given.printed);
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
