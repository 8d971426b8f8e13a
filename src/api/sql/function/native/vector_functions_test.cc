#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using VectorFunctionsTest = FunctionTest;

TEST_F(VectorFunctionsTest, Measures) {
  Expect({
      {"VECTORDISTANCE", "[1, 0], [1, 0]", "1"},
      {"VECTORDISTANCE", "[1, 0], [0, 1]", "0"},
      {"VECTORDISTANCE", "[1, 0], [-1, 0], true", "-1"},
      {"VECTORDISTANCE", R"([1, 2, 3], [4, 5, 6], false, {"distanceFunction": "DotProduct"})",
       "32"},
      {"VECTORDISTANCE", R"([1, 2], [4, 6], false, {"distanceFunction": "euclidean"})", "5"},
      {"VECTORDISTANCE", R"([3, 4], [3, 4], false, {"dataType": "Float32"})", "1"},
  });
}

TEST_F(VectorFunctionsTest, WhatIsNoVectorIsUndefined) {
  ExpectUndefined("VECTORDISTANCE",
                  {"[1, 2], [1]", "[], []", "[[1]], [[1]]", R"(["a"], [1])", "5, [1]", "[1], null",
                   "[0, 0], [1, 1]", "[1], [1], 5", "[1], [1], true, 5",
                   R"([1], [1], true, {"distanceFunction": "taxi"})", "[1e308], [1e308]"});
}

TEST_F(VectorFunctionsTest, DimensionsAreBounded) {
  std::string vector = "[0";
  for (int i = 0; i < 4096; ++i) vector += ",0";
  vector += "]";
  ExpectError("VECTORDISTANCE", vector + "," + vector, Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
