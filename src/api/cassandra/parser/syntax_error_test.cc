#include "api/cassandra/parser/syntax_error.h"

#include <gtest/gtest.h>

#include <string>

#include "api/cassandra/parser/parser.h"

namespace orrery::cassandra {
namespace {

std::string MessageOf(std::string_view text) {
  const auto parsed = ParseStatement(text);
  return parsed ? "accepted" : parsed.error().message;
}

TEST(SyntaxError, SaysWhereAndShowsWhat) {
  const struct {
    std::string_view text;
    std::string_view message;
  } cases[] = {
      {"SELEC * FROM t", "line 1:0 no viable alternative at input 'SELEC' ([SELEC] *...)"},
      {"SELECT * FORM t", "line 1:9 mismatched input 'FORM' expecting K_FROM (SELECT * [FORM] t)"},
      {"SELECT * FROM t WHERE a = b AND c = 1",
       "line 1:26 no viable alternative at input 'b' (...FROM t WHERE a = [b] AND...)"},
      {"SELECT *\nFROM t\n  WHERE k == 1",
       "line 3:11 no viable alternative at input '=' (...FROM t  WHERE k =[=] 1)"},
      {"SELECT * FROM", "line 1:13 no viable alternative at input '<EOF>' (SELECT * FROM[])"},
      {"", "line 1:0 no viable alternative at input '<EOF>'"},
      {"CREATE TABLE t (a int, PRIMARY KEY a)",
       "line 1:35 mismatched input 'a' expecting '(' (...a int, PRIMARY KEY [a]))"},
      {"USE ?", "Bind variables cannot be used for keyspace names"},
      {"SELECT a FROM ks.?", "Bind variables cannot be used for table names"},
      {"CREATE ROLE ?", "Bind variables cannot be used for role names"},
      {"UPDATE t SET a = b + 1 WHERE k = 1",
       "Only expressions of the form X = X +<value> are supported."},
      {"UPDATE t SET a = [1] + b WHERE k = 1",
       "Only expressions of the form X = <value> + X are supported."},
      {"UPDATE t SET a = 1, a = 2 WHERE k = 1", "Multiple incompatible setting of column a"},
      {"CREATE TABLE t (a enum)", "Invalid (reserved) user type name enum"},
      {"CREATE TABLE t (a frozen<int>)",
       "frozen<> is only allowed on collections, tuples, and user-defined types (got int)"},
      {"CREATE KEYSPACE k WITH a = 1 AND A = 2", "Multiple definition for property 'a'"},
      {"CREATE KEYSPACE k WITH a = {'x': ?}",
       "Invalid property value: ? (bind variables are not supported in DDL queries)"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(MessageOf(text), message) << text;
}

TEST(SyntaxError, HasThePositionApart) {
  const auto parsed = ParseStatement("SELECT *\n  FORM t");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().position, (query::TextPosition{.line = 2, .column = 2}));
  EXPECT_EQ(parsed.error().ToError().code(), Code::kInvalidArgument);
}

TEST(SyntaxError, LongTokensAreCutBetweenCharacters) {
  std::string literal = "'";
  for (int i = 0; i < 100'000; ++i) literal += "\u20ac";
  literal += "'";
  const std::string message = MessageOf("SELECT * FROM " + literal + " " + literal);
  EXPECT_LT(message.size(), 1'000u);
  EXPECT_TRUE(message.starts_with("line 1:14 no viable alternative at input '"));
}

}  // namespace
}  // namespace orrery::cassandra
