#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using ChoiceFunctionsTest = FunctionTest;

TEST_F(ChoiceFunctionsTest, AsDocumented) {
  Expect({
      {"IIF", "true, 123, 456", "123"},
      {"IIF", "false, 123, 456", "456"},
      {"IIF", "123, 123, 456", "456"},
      {"IIF", "\"ABC\", 123, 456", "456"},
      {"IIF", "[1,2,3], 123, 456", "456"},
      {"IIF", R"({"name": "Alice"}, 123, 456)", "456"},
      {"IIF", "undefined, 123, 456", "456"},
      {"CHOOSE", R"(0, "Mt.", "Hood")", "undefined"},
      {"CHOOSE", R"(1, "Mt.", "Hood")", R"("Mt.")"},
      {"CHOOSE", R"(2, "Mt.", "Hood")", R"("Hood")"},
      {"CHOOSE", R"(3, "Mt.", "Hood")", "undefined"},
      {"CHOOSE", R"(1.5, "Mt.", "Hood")", "undefined"},
      {"CHOOSE", R"(-9223372036854775808, "Mt.")", "undefined"},
      {"CHOOSE", R"("1", "Mt.")", "undefined"},
      {"OBJECTTOARRAY", R"({"a": "12345", "b": "67890"})",
       R"([{"k":"a","v":"12345"}, {"k":"b","v":"67890"}])"},
      {"OBJECTTOARRAY", R"({"a": 1}, "key", "value")", R"([{"key":"a","value":1}])"},
      {"OBJECTTOARRAY", "{}", "[]"},
      {"OBJECTTOARRAY", R"({"a": 1}, 5, "value")", "undefined"},
      {"OBJECTTOARRAY", "[1]", "undefined"},
      {"DOCUMENTID", R"({"id": "x", "_rid": "36ZyAPW+uN8NAAAAAAAAAA=="})", "13"},
      {"DOCUMENTID", R"({"id": "x"})", "undefined"},
      {"DOCUMENTID", R"({"_rid": "36ZyAPW+uN8="})", "undefined"},
      {"DOCUMENTID", R"({"_rid": "*6ZyAPW+uN8NAAAAAAAAAA=="})", "undefined"},
      {"_RANKORDER", R"("\"0000000d-0002-0000-0000-000000000000\"", "36ZyAPW+uN8NAAAAAAAAAA==")",
       R"("000000020000000d0d00000000000000")"},
      {"_RANKORDER", R"("x", "36ZyAPW+uN8NAAAAAAAAAA==")", "undefined"},
      {"_RANKORDER", R"("\"0000000d-0002-0000-0000-000000000000\"", "x")", "undefined"},
      {"_RANKORDER", R"(1, 2)", "undefined"},
      {"DOCUMENTID", "5", "undefined"},
  });
}

}  // namespace
}  // namespace orrery::sql
