#include "api/gremlin/parser/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

using ::testing::HasSubstr;

// The one query of a script; fails the test if it cannot be read.
ParsedQuery Parse(std::string_view text, const ParserContext& context = {}) {
  auto queries = ParseScript(text, context);
  EXPECT_TRUE(queries.has_value()) << text << ": " << queries.error().message();
  if (!queries.has_value() || queries->size() != 1) return {};
  return std::move(queries->front());
}

std::string ErrorOf(std::string_view text) {
  const auto queries = ParseScript(text, {});
  if (queries.has_value()) return "no error";
  EXPECT_EQ(queries.error().code(), Code::kInvalidArgument) << text;
  return queries.error().message();
}

TEST(Parser, ReadsStepsWithTheirArguments) {
  const ParsedQuery query = Parse("g.V(1, 'a').has(\"age\", gt(29)).out().values('name').toList()");
  ASSERT_EQ(query.bytecode.steps.size(), 4U);
  EXPECT_EQ(query.bytecode.steps[0].name, "V");
  EXPECT_EQ(ToText(Value::List(query.bytecode.steps[0].args)), "[1, a]");
  const Value& predicate = query.bytecode.steps[1].args.at(1);
  ASSERT_EQ(predicate.type(), Type::kPredicate);
  EXPECT_EQ(predicate.AsPredicate().comparison, Comparison::kGt);
  EXPECT_EQ(query.terminal, Terminal::kToList);
}

TEST(Parser, ReadsLiteralsInTheirTypes) {
  const ParsedQuery query = Parse("g.inject(1, 2L, 1.5, 1.5f, true, null, [1], 'it\\'s')");
  ASSERT_EQ(query.bytecode.steps.size(), 1U);
  const Values& args = query.bytecode.steps[0].args;
  ASSERT_EQ(args.size(), 8U);
  EXPECT_EQ(args[0].type(), Type::kInt);
  EXPECT_EQ(args[1].type(), Type::kLong);
  EXPECT_EQ(args[2].type(), Type::kDouble);
  EXPECT_EQ(args[3].type(), Type::kFloat);
  EXPECT_EQ(args[4].type(), Type::kBool);
  EXPECT_TRUE(args[5].is_null());
  EXPECT_EQ(args[6].type(), Type::kList);
  EXPECT_EQ(args[7].AsString(), "it's");
}

TEST(Parser, PutsVariablesIn) {
  ParserContext context;
  context.bindings.Set("x", Value::String("marko"));
  const ParsedQuery query = Parse("g.V().has('name', x)", context);
  ASSERT_EQ(query.bytecode.steps.size(), 2U);
  EXPECT_EQ(query.bytecode.steps[1].args.at(1).AsString(), "marko");
}

TEST(Parser, ReadsNestedTraversals) {
  const ParsedQuery query = Parse("g.V().where(__.out('knows').count().is(gt(1)))");
  ASSERT_EQ(query.bytecode.steps.size(), 2U);
  const Value& nested = query.bytecode.steps[1].args.at(0);
  ASSERT_EQ(nested.type(), Type::kTraversal);
  EXPECT_EQ(nested.AsTraversal().steps.size(), 3U);
}

TEST(Parser, ReadsScriptsOfSeveralQueries) {
  const auto queries = ParseScript("g.addV('a'); g.V().count()", {});
  ASSERT_TRUE(queries.has_value());
  EXPECT_EQ(queries->size(), 2U);
}

TEST(Parser, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf("g.V().ouut()"), HasSubstr("did you mean 'out'?"));
  EXPECT_THAT(ErrorOf("g.V().has('age', x)"), HasSubstr("No variable found for x"));
  EXPECT_NE(ErrorOf("g.V("), "no error");
  EXPECT_NE(ErrorOf("g.V('a)"), "no error");
}

TEST(Parser, AnEmptyScriptHasNoQueries) {
  const auto queries = ParseScript(" ; ", {});
  ASSERT_TRUE(queries.has_value());
  EXPECT_TRUE(queries->empty());
}

TEST(Parser, BoundsNestingCallsAndBytes) {
  std::string nested = "g.V()";
  for (uint32_t i = 0; i <= kNestingMax; ++i) nested += ".where(__.out()";
  nested.append(kNestingMax + 1, ')');
  EXPECT_NE(ErrorOf(nested), "no error");

  std::string calls = "g.V()";
  for (size_t i = 0; i <= kScriptCallsMax; ++i) calls += ".out()";
  EXPECT_NE(ErrorOf(calls), "no error");

  const auto queries = ParseScript("g.V('" + std::string(kScriptBytesMax, 'a') + "')", {});
  ASSERT_FALSE(queries.has_value());
  EXPECT_EQ(queries.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::gremlin
