#include "api/sql/function/function_testing.h"
#include "api/sql/function/native/native_functions.h"

namespace orrery::sql {
namespace {

using MathFunctionsTest = FunctionTest;

TEST_F(MathFunctionsTest, AsDocumented) {
  Expect({
      {"ABS", "-1", "1"},
      {"ABS", "0", "0"},
      {"ABS", "1", "1"},
      {"ACOS", "-1", "3.141592653589793"},
      {"ASIN", "-1", "-1.5707963267948966"},
      {"ATAN", "-45.01", "-1.5485826962062663"},
      {"ATN2", "35.175643, 129.44", "0.265344532064832"},
      {"CEILING", "123.45", "124"},
      {"CEILING", "-45.72", "-45"},
      {"CEILING", "0", "0"},
      {"COS", "14.78", "-0.5994654261946543"},
      {"COT", "124.1332", "-0.040311998371148884"},
      {"DEGREES", "1.5707963267948966", "90"},
      {"DEGREES", "6.283185307179586", "360"},
      {"EXP", "0", "1"},
      {"EXP", "10", "22026.465794806718"},
      {"EXP", "20", "485165195.4097903"},
      {"FLOOR", "62.6", "62"},
      {"FLOOR", "-145.12", "-146"},
      {"FLOOR", "0.2989", "0"},
      {"LOG", "5", "1.6094379124341003"},
      {"LOG", "2, 10", "0.3010299956639812"},
      {"LOG10", "5", "0.6989700043360189"},
      {"LOG10", "100", "2"},
      {"NUMBERBIN", "37.752, -100", "100"},
      {"NUMBERBIN", "37.752, 10", "30"},
      {"NUMBERBIN", "37.752, 1", "37"},
      {"NUMBERBIN", "37.752, 0", "undefined"},
      {"NUMBERBIN", "37.752, 0.1", "37.7"},
      {"NUMBERBIN", "37.752, 0.01", "37.75"},
      {"NUMBERBIN", "37.752", "37"},
      {"PI", "", "3.141592653589793"},
      {"POWER", "2, 2", "4"},
      {"POWER", "3, 3", "27"},
      {"POWER", "5, 5", "3125"},
      {"POWER", "0, 2", "0"},
      {"RADIANS", "90", "1.5707963267948966"},
      {"RADIANS", "270", "4.71238898038469"},
      {"ROUND", "2.4", "2"},
      {"ROUND", "2.5", "3"},
      {"ROUND", "-2.4", "-2"},
      {"ROUND", "-2.6", "-3"},
      {"SIGN", "-2", "-1"},
      {"SIGN", "0", "0"},
      {"SIGN", "2", "1"},
      {"SIN", "45.175643", "0.929607286611012"},
      {"SQRT", "17", "4.123105625617661"},
      {"SQRT", "25", "5"},
      {"SQUARE", "3", "9"},
      {"TAN", "1.5707963267948966", "16331239353195370"},
      {"TAN", "124.1332", "-24.80651023035602"},
      {"TRUNC", "2.37", "2"},
      {"TRUNC", "-2.78", "-2"},
      {"TRUNC", "0.0000714", "0"},
  });
}

TEST_F(MathFunctionsTest, OtherTypesAreUndefined) {
  for (const Function& function : MathFunctions()) {
    if (function.arguments_min == 0) continue;
    for (const std::string_view wrong : {"null", "true", "\"1\"", "[1]", "{}", "undefined"}) {
      std::string arguments(wrong);
      for (size_t i = 1; i < function.arguments_min; ++i) arguments += ", 1";
      Expect({{function.name, arguments, "undefined"}});
    }
  }
  Expect({{"POWER", "2, null", "undefined"}, {"LOG", "2, \"10\"", "undefined"}});
}

TEST_F(MathFunctionsTest, ExtremeNumbers) {
  Expect({
      {"SQRT", "-1", "NaN"},
      {"LOG", "0", "-Infinity"},
      {"POWER", "10, 400", "Infinity"},
      {"ABS", "-9223372036854775808", "9223372036854775808"},
      {"ROUND", "1e300", "1e300"},
      {"SIGN", "NaN", "NaN"},
      {"NUMBERBIN", "5, Infinity", "undefined"},
      {"FLOOR", "Infinity", "Infinity"},
  });
}

TEST_F(MathFunctionsTest, RandomNumbersComeFromTheSource) {
  Expect({{"RAND", "", "0.375"}, {"RAND", "", "0.75"}, {"RAND", "", "0.125"}});
  EXPECT_EQ(registry_.Find("rand")->purity, Function::Purity::kVolatile);
}

}  // namespace
}  // namespace orrery::sql
