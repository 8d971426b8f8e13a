#include "api/sql/evaluate/node/constant_set.h"

#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/function/operator/comparison.h"

namespace orrery::sql::node {
namespace {

TEST(ConstantSet, AnswersAsIn) {
  constexpr std::string_view kLists[] = {
      "[1,2,3]",          R"(["a","b"])", "[null]",  "[true,false]",   R"([1,"a",null,true])",
      R"([[1],{"a":1}])", "[NaN]",        "[NaN,1]", R"([{"a":NaN}])", "[undefined]",
      "[1,undefined]",    "[0]",          "[-0.0]",  "[[],[]]",        "[9007199254740993]",
  };
  constexpr std::string_view kValues[] = {
      "1",  "1.0",        "2.5",          R"("a")", R"("c")",    "null", "true", "[1]",
      "[]", R"({"a":1})", R"({"a":NaN})", "NaN",    "undefined", "0",    "-0.0", "9007199254740992",
  };
  for (const std::string_view list_text : kLists) {
    const Value list = ParseText(list_text);
    std::vector<const Value*> constants;
    for (const Value& constant : list.AsValues()) constants.push_back(&constant);
    const ConstantSet set(constants);
    for (const std::string_view text : kValues) {
      const Value value = ParseText(text);
      EXPECT_EQ(set.Contains(value), sql::In(value, list.AsValues()))
          << text << " in " << list_text;
    }
  }
}

}  // namespace
}  // namespace orrery::sql::node
