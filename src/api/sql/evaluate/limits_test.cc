// Expressions as large as the parser lets them be.
#include <memory>

#include "api/sql/evaluate/evaluate_testing.h"
#include "api/sql/function/limits.h"

namespace orrery::sql {
namespace {

using EvaluateLimits = EvaluateTest;

std::string Repeat(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(EvaluateLimits, ChainsAsDeepAsTheParserTakes) {
  const size_t links = ParserLimits().depth_max - 2;
  Expect({
      {"c" + Repeat(" + 1", links), "0", std::to_string(links)},
  });
  for (const std::string_view link : {".a", "[0]", "[c]", " || c", " ?? 1", " = 1", " IN (1)"}) {
    const std::string text = "c" + Repeat(link, links);
    EXPECT_TRUE(Evaluate(text, "null").has_value()) << link;
  }
}

TEST_F(EvaluateLimits, ChainsOfConstantsAreFolded) {
  const size_t links = ParserLimits().depth_max - 2;
  const BoundExpressionPtr bound = MustBind("1" + Repeat(" + 1", links));
  ASSERT_NE(bound->constant(), nullptr);
  EXPECT_EQ(Show(*bound->constant()), std::to_string(links + 1));
}

TEST_F(EvaluateLimits, NestedAsDeepAsTheParserTakes) {
  struct Nest {
    std::string_view open;
    std::string_view core;
    std::string_view close;
  };
  constexpr Nest kNests[] = {
      {"[", "c", "]"},        {"{a: ", "c", "}"},
      {"ABS(", "c", ")"},     {"-(", "c", ")"},
      {"c[", "0", "]"},       {"(true ? ", "c", " : 1)"},
      {"udf.sum(", "c", ")"}, {"(c AND ", "c", ")"},
      {"(1 IN (", "c", "))"}, {"CONCAT(", "c", ", 'x')"},
  };
  for (const Nest& nest : kNests) {
    size_t levels = ParserLimits().nesting_max;
    const auto text = [&] {
      return Repeat(nest.open, levels) + std::string(nest.core) + Repeat(nest.close, levels);
    };
    while (levels > 0 && !ParseExpression(text()).has_value()) levels -= 10;
    ASSERT_GE(levels, 100U) << nest.open;
    EXPECT_TRUE(Evaluate(text(), "5").has_value()) << nest.open;
  }
}

// Copying what is within at each level would take tens of millions of steps.
TEST_F(EvaluateLimits, WideConstantsWithinManyLevels) {
  const std::string text = Repeat("[", 200) + "1" + Repeat(",1", 50'000) + Repeat("]", 200);
  EXPECT_NE(MustBind(text)->constant(), nullptr);
  EXPECT_NE(MustBind(Repeat("[", 200) + "c" + Repeat(",1", 50'000) + Repeat("]", 200)), nullptr);
}

TEST_F(EvaluateLimits, ManyAlternatives) {
  Expect({
      {"c = 'y'" + Repeat(" OR c = 'x'", 15'000), R"("x")", "true"},
      {"c IN (0" + Repeat(", 1", 90'000) + ")", "2", "false"},
      {"c IN (0" + Repeat(", 1", 90'000) + ")", "1", "true"},
      {"c NOT IN (0" + Repeat(", 'x'", 20) + ")", "1", "undefined"},
      {"c NOT IN (0" + Repeat(", 2", 20) + ")", "1", "true"},
  });
}

TEST_F(EvaluateLimits, ShortTextsMultiplyNoLargeValue) {
  parameters_.Set("@p", Value::String(std::string(1 << 20, 'x')));
  EXPECT_TRUE(ErrorOf("[@p" + Repeat(",@p", 30'000) + "]")
                  .ends_with("SC3020 an array or object that the query makes exceeds 8 MB"));
  EXPECT_EQ(ErrorOf("[c" + Repeat(",@p", 30'000) + "]"), "");
  const Result<Value> row =
      Evaluate("{a: [c,c,c,c,c,c], b: [c,c,c,c]}", Show(*parameters_.Find("@p")));
  ASSERT_FALSE(row.has_value());
  EXPECT_EQ(row.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
