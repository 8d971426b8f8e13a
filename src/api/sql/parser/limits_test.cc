#include "api/sql/parser/limits.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/print/print.h"

namespace orrery::sql {
namespace {

std::string Repeat(std::string_view text, size_t times) {
  std::string repeated;
  for (size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

// Empty when it parses; then it must also print and parse again.
std::string MessageOf(const std::string& text, const ParserLimits& limits = {}) {
  const auto query = ParseQuery(text, limits);
  if (!query) return query.error().message;
  EXPECT_TRUE(ParseQuery(PrintQuery(*query)).has_value());
  return "";
}

constexpr std::string_view kTooNested =
    "The SQL query exceeded the maximum limit of 800 levels of nesting.";
constexpr std::string_view kTooDeep =
    "The SQL query exceeded the maximum limit of 1000 operations on each other.";
constexpr std::string_view kTooMany = "The SQL query exceeded the maximum limit of 100000 parts.";

TEST(ParserLimits, NestingOfEveryKindIsRefused) {
  const struct {
    std::string_view open;
    std::string_view core;
    std::string_view close;
  } cases[] = {
      {"(", "1", ")"},
      {"[", "1", "]"},
      {"{a: ", "1", "}"},
      {"f(", "1", ")"},
      {"c[", "1", "]"},
      {"- ", "1", ""},
      {"~ ", "1", ""},
      {"NOT ", "true", ""},
      {"a ? b : ", "c", ""},
      {"a ? ", "b", " : c"},
      {"a IN (", "1", ")"},
      {"(SELECT VALUE ", "1", ")"},
      {"EXISTS(SELECT ", "1", ")"},
      {"ARRAY(SELECT VALUE x FROM x IN ", "y", ")"},
      {"(SELECT * FROM ", "c", ")"},
      {"a = (b + (c * ", "1", "))"},
  };
  for (const auto& [open, core, close] : cases) {
    for (const size_t times : {2'000u, 10'000u}) {
      const std::string text =
          "SELECT VALUE " + Repeat(open, times) + std::string(core) + Repeat(close, times);
      EXPECT_EQ(MessageOf(text), kTooNested) << open;
      // Cut in the middle it is no better.
      EXPECT_EQ(MessageOf(text.substr(0, text.size() / 2)), kTooNested) << open;
    }
    const std::string text =
        "SELECT VALUE " + Repeat(open, 50) + std::string(core) + Repeat(close, 50);
    EXPECT_EQ(MessageOf(text), "") << open;
  }
}

TEST(ParserLimits, QueriesInFromAreNestedToo) {
  EXPECT_EQ(MessageOf(Repeat("SELECT * FROM (", 10'000)), kTooNested);
  EXPECT_EQ(MessageOf(Repeat("SELECT * FROM (", 100) + "SELECT 1" + Repeat(")", 100)), "");
}

TEST(ParserLimits, LongChainsAreDeepTrees) {
  for (const std::string_view link : {" + 1", " || 'x'", " ?? 1", ".a", "[0]", " = 1", " IN (1)"}) {
    EXPECT_EQ(MessageOf("SELECT VALUE a" + Repeat(link, 20'000)), kTooDeep) << link;
    EXPECT_EQ(MessageOf("SELECT VALUE a" + Repeat(link, 400)), "") << link;
  }
}

TEST(ParserLimits, DepthAddsUpThroughSubqueries) {
  const std::string chain = Repeat(" + 1", 400);
  const std::string inner = "(SELECT VALUE 1" + chain + ")";
  const std::string middle = "(SELECT VALUE a FROM c WHERE " + inner + chain + ")";
  EXPECT_EQ(MessageOf("SELECT VALUE " + middle), "");
  EXPECT_EQ(MessageOf("SELECT * ORDER BY " + middle + chain), kTooDeep);
  EXPECT_EQ(MessageOf("SELECT * FROM (SELECT * GROUP BY " + middle + chain + ")"), kTooDeep);
}

TEST(ParserLimits, ThousandsOfAlternativesAreNoDepth) {
  EXPECT_EQ(MessageOf("SELECT * FROM c WHERE c.id = 'x'" + Repeat(" OR c.id = 'x'", 15'000)), "");
  EXPECT_EQ(MessageOf("SELECT * FROM c WHERE c.id IN (1" + Repeat(", 1", 90'000) + ")"), "");
}

// As clients write a chain of conditions that was put together one by one.
TEST(ParserLimits, HundredsOfParenthesesAreTaken) {
  EXPECT_EQ(MessageOf("SELECT * FROM c WHERE " + Repeat("(", 390) + "a" + Repeat(" OR b)", 390)),
            "");
}

TEST(ParserLimits, NodesAreCounted) {
  EXPECT_EQ(MessageOf("SELECT VALUE [1" + Repeat(",1", 100'000) + "]"), kTooMany);
  EXPECT_EQ(MessageOf("SELECT 1" + Repeat(",1", 100'000)), kTooMany);
}

TEST(ParserLimits, TextIsMeasuredInCharacters) {
  const ParserLimits limits{.query_characters_max = 20};
  EXPECT_EQ(MessageOf("SELECT '" + Repeat("\u20ac", 11) + "'", limits), "");
  EXPECT_EQ(MessageOf("SELECT '" + Repeat("\u20ac", 12) + "'", limits),
            "The SQL query text exceeded the maximum limit of 20 characters.");
  const auto query = ParseQuery("SELECT" + Repeat(" ", 600'000) + "1");
  ASSERT_FALSE(query.has_value());
  EXPECT_EQ(query.error(), (QueryError{0, 600'007, "SC3020",
                                       "The SQL query text exceeded the maximum limit of 524288 "
                                       "characters."}));
}

}  // namespace
}  // namespace orrery::sql
