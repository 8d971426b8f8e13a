#include "api/gremlin/parser/program_cache.h"

#include <gtest/gtest.h>

#include <thread>

#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

ParserContext With(ValueMap bindings) { return {.bindings = std::move(bindings), .now_ms = 1}; }

std::string TextOf(const Result<std::vector<ParsedQuery>>& queries) {
  if (!queries.has_value()) return std::string(queries.error().message());
  std::string text;
  for (const ParsedQuery& query : *queries) text += ToText(Value(std::make_shared<const Bytecode>(query.bytecode))) + ";";
  return text;
}

TEST(ProgramCache, GivesWhatTheParserGives) {
  ProgramCache cache;
  const std::string_view kept[] = {"g.V(x)",
                                   "g.V(x, y, x).out('knows').dedup().count()",
                                   "g.V(x).next(); g.V().has('name', y).toList()",
                                   "g.withSideEffect('a', x).V( y )",
                                   "g.inject(x).is(gt(1))",
                                   "g.V(y).where(__.out().count().is(2))"};
  for (const std::string_view text : kept) {
    const size_t before = cache.programs();
    for (const Value& x : {Value::Int(1), Value::String("s"), Value::List({Value::Int(2)}),
                           Value::Null(), Value::Enum("T", "id")}) {
      const ParserContext context = With({{"x", x}, {"y", Value::String("why")}});
      EXPECT_EQ(TextOf(cache.Parse(text, context)), TextOf(ParseScript(text, context))) << text;
    }
    EXPECT_EQ(cache.programs(), before + 1) << text;
  }
}

TEST(ProgramCache, LeavesTheRestToTheParser) {
  ProgramCache cache;
  // The value shapes what is parsed, or something but the bindings does, or there is none.
  const std::string_view left[] = {"g.V().has('a', within(x))",
                                   "g.V([x])",
                                   "g.V((x))",
                                   "g.V(x..5)",
                                   "g.V(1..x)",
                                   "g.V(x).has('a', 1..5)",
                                   "g.V(x).where(__.out(x))",
                                   "g.V(x).map(out(out))",
                                   "g.V(x).property('at', datetime())",
                                   "g.V(x).property('at', UUID())",
                                   "g.V(x).next(x)",
                                   "g.withStrategies(ReadOnlyStrategy).V(x)",
                                   "g.V(1)",
                                   "g.V(unknown)"};
  for (const std::string_view text : left) {
    for (const int32_t x : {1, 3}) {
      ParserContext context = With({{"x", Value::Int(x)}, {"out", Value::String("knows")}});
      context.new_uuid = [] { return UuidBytes{1}; };
      EXPECT_EQ(TextOf(cache.Parse(text, context)), TextOf(ParseScript(text, context))) << text;
    }
  }
  ParserContext other = With({{"x", Value::Int(1)}});
  other.sources.emplace_back("h");
  EXPECT_TRUE(cache.Parse("h.V(x)", other).has_value());
  EXPECT_EQ(cache.programs(), 0U);
}

TEST(ProgramCache, AMissingBindingIsToldAsBefore) {
  ProgramCache cache;
  ASSERT_TRUE(cache.Parse("g.V(x)", With({{"x", Value::Int(1)}})).has_value());
  const ParserContext other = With({{"y", Value::Int(1)}});
  ASSERT_FALSE(cache.Parse("g.V(x)", other).has_value());
  EXPECT_EQ(TextOf(cache.Parse("g.V(x)", other)), TextOf(ParseScript("g.V(x)", other)));
}

TEST(ProgramCache, IsBoundedByBytes) {
  constexpr size_t kBytes = 256 << 10;
  ProgramCache cache(kBytes);
  const ParserContext context = With({{"x", Value::Int(1)}});
  for (int i = 0; i < 2'000; ++i)
    ASSERT_TRUE(cache.Parse("g.V(x).out('" + std::to_string(i) + "')", context).has_value());
  EXPECT_LE(cache.bytes(), kBytes);
  EXPECT_GT(cache.programs(), 20U);
  const size_t before = cache.programs();
  const std::string kLong = "g.V(x).out('" + std::string(ProgramCache::kTextBytesMax, 'a') + "')";
  ASSERT_TRUE(cache.Parse(kLong, context).has_value());
  EXPECT_EQ(cache.programs(), before);
}

TEST(ProgramCache, ManyThreadsShareIt) {
  ProgramCache cache(64 << 10);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 500; ++i) {
        const ParserContext context = With({{"x", Value::Int(t * 1'000 + i)}});
        const auto queries = cache.Parse("g.V(x).out('" + std::to_string(i % 40) + "')", context);
        ASSERT_TRUE(queries.has_value());
        ASSERT_EQ(queries->front().bytecode.steps.front().args.front().AsInteger(), t * 1'000 + i);
      }
    });
  }
}

}  // namespace
}  // namespace orrery::gremlin
