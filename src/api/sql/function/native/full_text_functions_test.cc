#include <fmt/format.h>

#include "api/sql/function/function_testing.h"
#include "model/number/number.h"

namespace orrery::sql {
namespace {

using FullTextFunctionsTest = FunctionTest;

TEST_F(FullTextFunctionsTest, FindsWordsAndPhrases) {
  Expect({
      {"FULLTEXTCONTAINS", R"("A red bicycle, nearly new.", "bicycle")", "true"},
      {"FULLTEXTCONTAINS", R"("A red bicycle, nearly new.", "RED BICYCLE")", "true"},
      {"FULLTEXTCONTAINS", R"("A red bicycle, nearly new.", "bicycle red")", "false"},
      {"FULLTEXTCONTAINS", R"("A red bicycle, nearly new.", "red new")", "false"},
      {"FULLTEXTCONTAINS", R"("A red bicycle, nearly new.", "cycle")", "false"},
      {"FULLTEXTCONTAINS", R"("anything", "")", "false"},
      {"FULLTEXTCONTAINS", R"("ÜBER den Straßen", "über")", "true"},
      {"FULLTEXTCONTAINSALL", R"("A red bicycle", "red", "bicycle")", "true"},
      {"FULLTEXTCONTAINSALL", R"("A red bicycle", "red", "blue")", "false"},
      {"FULLTEXTCONTAINSANY", R"("A red bicycle", "red", "blue")", "true"},
      {"FULLTEXTCONTAINSANY", R"("A red bicycle", "green", "blue")", "false"},
      {"FULLTEXTCONTAINSANY", R"("A red bicycle", "red", 5)", "true"},
      {"FULLTEXTCONTAINSALL", R"("A red bicycle", "red", 5)", "undefined"},
      {"FULLTEXTCONTAINS", R"(null, "a")", "undefined"},
      {"FULLTEXTCONTAINS", R"("a", undefined)", "undefined"},
  });
}

TEST_F(FullTextFunctionsTest, WordsMayDifferByAFewCharacters) {
  const auto near = [](std::string_view text, std::string_view term, int distance) {
    return fmt::format(R"("{}", {{"term": "{}", "distance": {}}})", text, term, distance);
  };
  Expect({
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "bycycle", 2), "true"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "bycycle", 0), "false"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "bycicle", 1), "false"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "bycicle", 2), "true"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "Bicycles", 1), "true"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "icycle", 1), "true"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "cycle", 1), "false"},
      {"FULLTEXTCONTAINS", near("The red bicycle is fast", "rad bicycle", 1), "true"},
      {"FULLTEXTCONTAINS", near("über", "uber", 1), "true"},
      {"FULLTEXTCONTAINS", near("a", "xyz", 2), "false"},
      {"FULLTEXTCONTAINS", R"("a red car", {"term": "red"})", "true"},
      {"FULLTEXTCONTAINSALL", R"("a red car", "car", {"term": "rod", "distance": 1})", "true"},
      {"FULLTEXTCONTAINSANY", R"("a red car", "bus", {"term": "rod", "distance": 1})", "true"},
      {"FULLTEXTCONTAINS", R"("a", {"distance": 1})", "undefined"},
  });
  ExpectError("FULLTEXTCONTAINS", near("a", "a", 3), Code::kInvalidArgument);
  ExpectError("FULLTEXTCONTAINS", R"("a", {"term": "a", "distance": 0.5})", Code::kInvalidArgument);
}

TEST_F(FullTextFunctionsTest, CountsAndScoresForClientsThatMerge) {
  Expect({
      {"_FULLTEXTWORDCOUNT", R"("A red bicycle, nearly new.")", "4"},
      {"_FULLTEXTWORDCOUNT", R"("")", "0"},
      {"_FULLTEXTWORDCOUNT", "5", "undefined"},
      {"_FULLTEXTSCORE", R"("red", ["blue"], 10, 40, [1])", "0"},
      {"_FULLTEXTSCORE", R"("red", ["red"], 0, 0, [])", "undefined"},
      {"_FULLTEXTSCORE", R"("red", ["red"], 10, 40, ["1"])", "undefined"},
      {"_FULLTEXTSCORE", R"(null, ["red"], 10, 40, [1])", "undefined"},
  });
  const auto score = [&](std::string_view arguments) {
    return model::ToDouble(*Call("_FULLTEXTSCORE", arguments));
  };
  const double one = score(R"("red bicycle red car", ["red"], 10, 40, [1])");
  EXPECT_NEAR(one, 2.7396, 0.0001);
  EXPECT_GT(one, score(R"("red bicycle red car", "red", 10, 40, [5])"));
  EXPECT_GT(one, score(R"("red bicycle blue car", ["red"], 10, 40, [1])"));
  EXPECT_LT(one, score(R"("red bicycle red car", ["red", "red bicycle"], 10, 40, [1, 1])"));
}

}  // namespace
}  // namespace orrery::sql
