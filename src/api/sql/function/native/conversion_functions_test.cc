#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using ConversionFunctionsTest = FunctionTest;

TEST_F(ConversionFunctionsTest, FromStringsAsDocumented) {
  Expect({
      {"STRINGTOARRAY", R"("[]")", "[]"},
      {"STRINGTOARRAY", R"("[ \"coats\", \"gloves\" ]")", R"(["coats", "gloves"])"},
      {"STRINGTOARRAY", R"("[ { \"types\": [ \"coats\" ] }, [ \"hats\" ], 76, false, null ]")",
       R"([{"types":["coats"]}, ["hats"], 76, false, null])"},
      {"STRINGTOARRAY", R"("[ 'coats' ]")", "undefined"},
      {"STRINGTOARRAY", R"("{}")", "undefined"},
      {"STRINGTOBOOLEAN", R"("true")", "true"},
      {"STRINGTOBOOLEAN", R"("true  ")", "true"},
      {"STRINGTOBOOLEAN", R"("  false  ")", "false"},
      {"STRINGTOBOOLEAN", R"("TRUE")", "undefined"},
      {"STRINGTOBOOLEAN", "true", "undefined"},
      {"STRINGTONULL", R"("null")", "null"},
      {"STRINGTONULL", R"("  null  ")", "null"},
      {"STRINGTONULL", R"("NULL")", "undefined"},
      {"STRINGTONULL", "null", "undefined"},
      {"STRINGTONUMBER", R"("100")", "100"},
      {"STRINGTONUMBER", R"("3.14")", "3.14"},
      {"STRINGTONUMBER", R"("   60   ")", "60"},
      {"STRINGTONUMBER", R"("-1.79769e+308")", "-1.79769e+308"},
      {"STRINGTONUMBER", R"("Hello")", "undefined"},
      {"STRINGTONUMBER", R"("NaN")", "undefined"},
      {"STRINGTONUMBER", R"("")", "undefined"},
      {"STRINGTONUMBER", "5", "undefined"},
      {"STRINGTOOBJECT", R"("{}")", "{}"},
      {"STRINGTOOBJECT", R"("{\"division\": {\"name\": \"Sales\"}}")",
       R"({"division":{"name":"Sales"}})"},
      {"STRINGTOOBJECT", R"("{'price': 27.55}")", "undefined"},
      {"STRINGTOOBJECT", "null", "undefined"},
      {"STRINGTOOBJECT", "undefined", "undefined"},
  });
}

TEST_F(ConversionFunctionsTest, ToStringAsDocumented) {
  Expect({
      {"TOSTRING", "125", R"("125")"},
      {"TOSTRING", "0.1234", R"("0.1234")"},
      {"TOSTRING", "false", R"("false")"},
      {"TOSTRING", "null", R"("null")"},
      {"TOSTRING", "[ 1, 2, 3 ]", R"("[1,2,3]")"},
      {"TOSTRING", R"({ "department": "Bicycles" })", R"("{\"department\":\"Bicycles\"}")"},
      {"TOSTRING", R"("Hello World")", R"("Hello World")"},
      {"TOSTRING", "undefined", "undefined"},
      {"TOSTRING", "NaN", R"("NaN")"},
      {"TOSTRING", "Infinity", R"("Infinity")"},
  });
}

}  // namespace
}  // namespace orrery::sql
