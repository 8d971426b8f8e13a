#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using TypeFunctionsTest = FunctionTest;

TEST_F(TypeFunctionsTest, EachKnowsItsOwnType) {
  constexpr std::string_view kNames[] = {"IS_NULL",   "IS_BOOL",  "IS_NUMBER",
                                         "IS_STRING", "IS_ARRAY", "IS_OBJECT"};
  constexpr std::string_view kValues[] = {"null", "true", "1", "\"value\"", "[1]", "{\"a\":1}"};
  for (size_t name = 0; name < std::size(kNames); ++name) {
    for (size_t value = 0; value < std::size(kValues); ++value)
      Expect({{kNames[name], kValues[value], name == value ? "true" : "false"}});
    Expect({{kNames[name], "undefined", "false"}});
  }
}

TEST_F(TypeFunctionsTest, AsDocumented) {
  Expect({
      {"IS_DEFINED", "5", "true"},
      {"IS_DEFINED", "undefined", "false"},
      {"IS_DEFINED", "null", "true"},
      {"IS_FINITE_NUMBER", "1234.567", "true"},
      {"IS_FINITE_NUMBER", "Infinity", "false"},
      {"IS_FINITE_NUMBER", "NaN", "false"},
      {"IS_FINITE_NUMBER", "\"1\"", "false"},
      {"IS_INTEGER", "3454.123", "false"},
      {"IS_INTEGER", "5523432", "true"},
      {"IS_INTEGER", "-9223372036854775808", "true"},
      {"IS_INTEGER", "9223372036854775807", "true"},
      {"IS_INTEGER", "18446744073709551615", "false"},
      {"IS_INTEGER", "null", "false"},
      {"IS_PRIMITIVE", "true", "true"},
      {"IS_PRIMITIVE", "1", "true"},
      {"IS_PRIMITIVE", "\"value\"", "true"},
      {"IS_PRIMITIVE", "[1]", "false"},
      {"IS_PRIMITIVE", "null", "true"},
      {"IS_PRIMITIVE", "{}", "false"},
      {"IS_PRIMITIVE", "undefined", "false"},
      {"IS_DATETIME", R"("2024-12-12")", "true"},
      {"IS_DATETIME", R"("2024-12-12Z")", "true"},
      {"IS_DATETIME", R"("2024-12-12 20:21:25")", "true"},
      {"IS_DATETIME", R"("2024-12-12T20:21:25Z")", "true"},
      {"IS_DATETIME", R"("2024-12-12T20:21:25.123")", "true"},
      {"IS_DATETIME", R"("2024-12-12 20:21:25.123Z")", "true"},
      {"IS_DATETIME", R"("2024-12-12T20Z")", "false"},
      {"IS_DATETIME", R"("2024-12-12 20:21:25.")", "false"},
      {"IS_DATETIME", "5", "false"},
  });
}

}  // namespace
}  // namespace orrery::sql
