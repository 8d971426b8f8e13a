#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using ArrayFunctionsTest = FunctionTest;

TEST_F(ArrayFunctionsTest, AsDocumented) {
  Expect({
      {"ARRAY_CONCAT", R"(["backpacks", "daypacks"], ["hippacks"])",
       R"(["backpacks", "daypacks", "hippacks"])"},
      {"ARRAY_CONTAINS", R"(["coats", "jackets"], "coats")", "true"},
      {"ARRAY_CONTAINS", R"(["coats", "jackets"], "hoodies")", "false"},
      {"ARRAY_CONTAINS", R"([{"c": "shirts", "k": "blue"}], {"k": "blue", "c": "shirts"})", "true"},
      {"ARRAY_CONTAINS", R"([{"c": "shirts", "k": "blue"}], {"c": "shirts"})", "false"},
      {"ARRAY_CONTAINS", R"([{"c": "shirts", "k": "blue"}], {"c": "shirts"}, true)", "true"},
      {"ARRAY_CONTAINS", R"([{"c": "shirts", "k": "blue"}], {"c": "shorts", "k": "blue"}, true)",
       "false"},
      {"ARRAY_CONTAINS_ALL", R"([1, true, "3", [1,2,3]], 1, true, "3", [1,2,3])", "true"},
      {"ARRAY_CONTAINS_ALL", "[1, 2, 3, 4], 2, 3, 4, 5", "false"},
      {"ARRAY_CONTAINS_ALL", "[1, 2, 3, 4], 1, undefined", "undefined"},
      {"ARRAY_CONTAINS_ALL", "[], 1, 2, 3", "false"},
      {"ARRAY_CONTAINS_ALL", "[1, 2, 3, 4], 5, undefined", "false"},
      {"ARRAY_CONTAINS_ANY", "[1, 2, 3, 4], 2, 3, 4, 5", "true"},
      {"ARRAY_CONTAINS_ANY", "[1, 2, 3, 4], 1, undefined", "true"},
      {"ARRAY_CONTAINS_ANY", "[1, 2, 3, 4], 5, 6, 7, 8", "false"},
      {"ARRAY_CONTAINS_ANY", "[], 1, 2, 3", "false"},
      {"ARRAY_CONTAINS_ANY", "[1, 2, 3, 4], 5, undefined", "undefined"},
      {"ARRAY_LENGTH", "[70, 86, 92]", "3"},
      {"ARRAY_LENGTH", "[]", "0"},
      {"ARRAY_LENGTH", "null", "undefined"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], 0)", R"(["a","b","c","d"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], 1)", R"(["b","c","d"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], -1)", R"(["d"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], 0, 3)", R"(["a","b","c"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], 0, 12)", R"(["a","b","c","d"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], 3, 5)", R"(["d"])"},
      {"ARRAY_SLICE", R"(["a","b","c","d"], -2, 1)", R"(["c"])"},
  });
}

TEST_F(ArrayFunctionsTest, StatisticsAsDocumented) {
  Expect({
      {"ARRAY_AVG", "[1, 2, 3, 4]", "2.5"},
      {"ARRAY_AVG", "[1.0, 2.0, 3.3, 4.7]", "2.75"},
      {"ARRAY_AVG", "[1, -2.7, 3, -4, undefined]", "-0.675"},
      {"ARRAY_AVG", R"(["abc", "ABC"])", "undefined"},
      {"ARRAY_AVG", R"([12, "abc", true, null, undefined])", "undefined"},
      {"ARRAY_MAX", "[1, 2, 3, 4]", "4"},
      {"ARRAY_MAX", R"(["abc", "ABC", "aBc", "AbC"])", R"("abc")"},
      {"ARRAY_MAX", "[true, false]", "true"},
      {"ARRAY_MAX", "[null, null]", "null"},
      {"ARRAY_MAX", R"([12, "abc", true, false, null, undefined])", R"("abc")"},
      {"ARRAY_MIN", "[1, 2, 3, 4]", "1"},
      {"ARRAY_MIN", R"(["abc", "ABC", "aBc", "AbC"])", R"("ABC")"},
      {"ARRAY_MIN", R"([12, "abc", true, false, null, undefined])", "null"},
      {"ARRAY_MEDIAN", "[1, 2, 3, 4]", "2.5"},
      {"ARRAY_MEDIAN", "[1.0, 2.0, 3.3, 4.7, 7.8]", "3.3"},
      {"ARRAY_MEDIAN", "[1, -2.7, 3, -4, undefined]", "-0.8500000000000001"},
      {"ARRAY_MEDIAN", R"(["abc"])", "undefined"},
      {"ARRAY_SUM", "[1, 2, 3, 4, undefined]", "10"},
      {"ARRAY_SUM", R"([12, "abc", true])", "undefined"},
  });
}

TEST_F(ArrayFunctionsTest, OutsideAndOtherTypes) {
  Expect({
      {"ARRAY_SLICE", "[1,2], 9223372036854775807", "[]"},
      {"ARRAY_SLICE", "[1,2], -9223372036854775808", "[1,2]"},
      {"ARRAY_SLICE", "[1,2], 0, -1", "[]"},
      {"ARRAY_SLICE", "[1,2], 1, 9223372036854775807", "[2]"},
      {"ARRAY_SLICE", "[], -1", "[]"},
      {"ARRAY_CONTAINS", "[1], 1.0", "true"},
      {"_TRY_ARRAY_CONTAINS", "[1, 2], 2", "true"},
      {"_TRY_ARRAY_CONTAINS", "[1, 2], 3", "false"},
      {"ARRAY_CONTAINS", "[null], null", "true"},
      {"ARRAY_CONTAINS", "[1], undefined", "undefined"},
      {"ARRAY_CONTAINS", "[[1]], [1], true", "true"},
      {"ARRAY_CONTAINS", R"([1, {"a":{"b":1,"c":2}}], {"a":{"b":1}}, true)", "false"},
      {"ARRAY_MIN", "[]", "undefined"},
      {"ARRAY_MAX", "[[1]]", "undefined"},
      {"ARRAY_SUM", "[]", "undefined"},
  });
  ExpectUndefined("ARRAY_CONCAT", {"[1], 2", "null, [1]", "[1], undefined"});
  ExpectUndefined("ARRAY_CONTAINS", {"1, 1", "[1], 1, 5", "undefined, 1"});
  ExpectUndefined("ARRAY_SLICE", {"[1], \"0\"", "[1], 0.5", "[1], 0, null", "{}, 0"});
  for (const std::string_view name :
       {"ARRAY_LENGTH", "ARRAY_SUM", "ARRAY_AVG", "ARRAY_MIN", "ARRAY_MAX", "ARRAY_MEDIAN"})
    ExpectUndefined(name, {"1", "\"a\"", "{}", "undefined"});
}

TEST_F(ArrayFunctionsTest, ResultsAreBounded) {
  const std::string large = "[\"" + std::string(3 << 20, 'a') + "\"]";
  ExpectError("ARRAY_CONCAT", large + "," + large + "," + large, Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
