#include "api/sql/parser/query_error.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/parser/parser.h"

namespace orrery::sql {
namespace {

QueryError ErrorOf(std::string_view text, const ParserLimits& limits = {}) {
  const auto query = ParseQuery(text, limits);
  return query ? QueryError{0, 0, "", "accepted"} : query.error();
}

TEST(QueryError, SaysWhereAndWhat) {
  const struct {
    std::string_view text;
    QueryError error;
  } cases[] = {
      {"SELEC * FROM c", {0, 5, "SC1001", "Syntax error, incorrect syntax near 'SELEC'."}},
      {"SELECT * FORM c", {9, 13, "SC1001", "Syntax error, incorrect syntax near 'FORM'."}},
      {"SELECT . FROM c", {7, 8, "SC1001", "Syntax error, incorrect syntax near '.'."}},
      {"SELECT * FROM @modules",
       {14, 22, "SC1001", "Syntax error, incorrect syntax near '@modules'."}},
      {"SELECT * FROM c WHERE c.a == 1",
       {27, 28, "SC1001", "Syntax error, incorrect syntax near '='."}},
      {"SELECT * FROM", {13, 13, "SC1001", "Syntax error, unexpected end of the query."}},
      {"", {0, 0, "SC1001", "Syntax error, unexpected end of the query."}},
      {"SELECT * FROM c;", {15, 16, "SC1010", "Syntax error, invalid token ';'."}},
      {"SELECT ! FROM c", {7, 8, "SC1010", "Syntax error, invalid token '!'."}},
      {"SELECT @ FROM c", {7, 8, "SC1010", "Syntax error, invalid token '@'."}},
      {"SELECT \u20ac", {7, 8, "SC1010", "Syntax error, invalid token '\u20ac'."}},
      {"SELECT 12ab", {7, 11, "SC1010", "Syntax error, invalid number '12ab'."}},
      {"SELECT 0x", {7, 9, "SC1010", "Syntax error, invalid number '0x'."}},
      {"SELECT 1e", {7, 9, "SC1010", "Syntax error, invalid number '1e'."}},
      {"SELECT /* open", {7, 14, "SC1010", "Syntax error, invalid comment '/* open'."}},
      {"SELECT \"a", {7, 9, "SC1012", "Syntax error, invalid string literal token '\"a'."}},
      {"SELECT \"\\\"", {7, 10, "SC1012", "Syntax error, invalid string literal token '\"\\\"'."}},
      {"SELECT 'a\\qb'",
       {7, 13, "SC1012", "Syntax error, invalid string literal token ''a\\qb''."}},
      {"SELECT c['\\ud83d'] FROM c",
       {9, 17, "SC1012", "Syntax error, invalid string literal token ''\\ud83d''."}},
      {"SELECT TOP 1.5 *",
       {11, 14, "SC2060", "The count value provided for a TOP clause must be an integer."}},
      {"SELECT TOP 4294967296 c.name FROM c",
       {11, 21, "SC2060", "The count value provided for a TOP clause must be an integer."}},
      {"SELECT c.name FROM c OFFSET 10 LIMIT 4294967296",
       {37, 47, "SC2061", "The LIMIT count value exceeds the maximum allowed value."}},
      {"SELECT c.name FROM c OFFSET 4294967296 LIMIT 10",
       {28, 38, "SC2062", "The OFFSET count value exceeds the maximum allowed value."}},
      {"SELECT c.name FROM c OFFSET 10 LIMIT 1.5",
       {37, 40, "SC1001", "Syntax error, incorrect syntax near '1.5'."}},
      {"SELECT * ORDER BY RANK f(a), b.c",
       {29, 30, "SC1001", "Syntax error, incorrect syntax near 'b'."}},
  };
  for (const auto& [text, error] : cases) {
    const QueryError found = ErrorOf(text);
    EXPECT_EQ(found.code, error.code) << text;
    EXPECT_EQ(found.message, error.message) << text;
    EXPECT_EQ(found.start, error.start) << text;
    EXPECT_EQ(found.end, error.end) << text;
  }
}

TEST(QueryError, CountsAsClientsDo) {
  const QueryError error = ErrorOf("SELECT '\U0001F600\u20ac' ; ");
  EXPECT_EQ(error.start, 13u);  // two units for the first character, one for the second
  EXPECT_EQ(error.end, 14u);
  EXPECT_EQ(CountUtf16("a\u00e9\u20ac\U0001F600"), 5u);
}

TEST(QueryError, RefusesTextThatIsNotUtf8) {
  const QueryError error = ErrorOf("SELECT '\xff'");
  EXPECT_EQ(error.start, 8u);
  EXPECT_EQ(error.end, 9u);
  EXPECT_EQ(error.code, "SC1010");
  EXPECT_EQ(error.message, "Syntax error, the query is not valid UTF-8.");
}

TEST(QueryError, LongTokensAreCutBetweenCharacters) {
  std::string literal = "'";
  for (int i = 0; i < 10'000; ++i) literal += "\u20ac";
  const QueryError error = ErrorOf("SELECT " + literal);
  EXPECT_LT(error.message.size(), 400u);
  EXPECT_EQ(error.end, 7 + 1 + 10'000u);
}

TEST(QueryError, IsAnErrorOfTheRequest) {
  EXPECT_EQ(ErrorOf("SELECT").ToError().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::sql
