#include "api/sql/function/function_testing.h"

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

}  // namespace
}  // namespace orrery::sql
