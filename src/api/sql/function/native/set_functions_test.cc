#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using SetFunctionsTest = FunctionTest;

TEST_F(SetFunctionsTest, AsDocumented) {
  Expect({
      {"SETDIFFERENCE", "[1, 2, 3], [1, 2, 6, 7]", "[3]"},
      {"SETDIFFERENCE", "[1, 2, 6, 7], [1, 2, 3]", "[6, 7]"},
      {"SETDIFFERENCE", "[], [1, 2, 3]", "[]"},
      {"SETDIFFERENCE", "[1, 2, 3], []", "[1, 2, 3]"},
      {"SETDIFFERENCE", "[1, 1, 1, 1], [2, 3, 4]", "[1]"},
      {"SETEQUAL", "[1, 2, 3], [3, 2, 1]", "true"},
      {"SETEQUAL", "[1, 2, 3, 3], [1, 2, 2, 3, 1, 2]", "true"},
      {"SETEQUAL", "[], [1, 2, 3]", "false"},
      {"SETEQUAL", R"([1, true, "abc"], [true, 1, "abc"])", "true"},
      {"SETEQUAL", "[1, 1, 1, 1], [2, 3, 4]", "false"},
      {"SETINTERSECT", "[1, 2, 3, 4], [3, 4, 5, 6]", "[3, 4]"},
      {"SETINTERSECT", "[1, 2, 3, 4], []", "[]"},
      {"SETINTERSECT", "[1, 2, 3, 4], [1, 1, 1, 1]", "[1]"},
      {"SETINTERSECT", R"([1, 2, 3, 4], ["A", "B"])", "[]"},
      {"SETINTERSECT", R"([1, 2, "A", "B"], ["A", 1])", R"(["A", 1])"},
      {"SETUNION", "[1, 2, 3, 4], [3, 4, 5, 6]", "[1, 2, 3, 4, 5, 6]"},
      {"SETUNION", "[1, 2, 3, 4], []", "[1, 2, 3, 4]"},
      {"SETUNION", R"([1, 2, "A", "B"], ["A", 1])", R"([1, 2, "A", "B"])"},
  });
}

TEST_F(SetFunctionsTest, ElementsAreEqualAsTheLanguageHasThem) {
  Expect({
      {"SETEQUAL", R"([{"a":1,"b":2}], [{"b":2.0,"a":1}])", "true"},
      {"SETEQUAL", R"([1], ["1"])", "false"},
      {"SETEQUAL", "[null], [false]", "false"},
      {"SETEQUAL", "[[1,2]], [[2,1]]", "false"},
      {"SETUNION", "[0], [-0.0]", "[0]"},
  });
}

TEST_F(SetFunctionsTest, OtherTypesAreUndefined) {
  for (const std::string_view name : {"SETDIFFERENCE", "SETEQUAL", "SETINTERSECT", "SETUNION"})
    ExpectUndefined(name, {"1, [1]", "[1], null", "undefined, []", "\"a\", []", "{}, []"});
}

}  // namespace
}  // namespace orrery::sql
