#include "model/sql/constant_set.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/document/json.h"
#include "model/sql/comparison.h"

namespace orrery::model::sql {
namespace {

Value Parse(std::string_view json) { return *ValueFromJson(json); }
Value NaN() { return Value::Double(std::numeric_limits<double>::quiet_NaN()); }

TEST(ConstantSet, AnswersAsIn) {
  std::vector<Values> lists = {{NaN()},
                               {NaN(), Value::Int32(1)},
                               {Value::Object({{"a", NaN()}})},
                               {Value::Undefined()},
                               {Value::Int32(1), Value::Undefined()},
                               {Value::Double(-0.0)}};
  for (const std::string_view list :
       {"[1,2,3]", R"(["a","b"])", "[null]", "[true,false]", R"([1,"a",null,true])",
        R"([[1],{"a":1}])", "[0]", "[[],[]]", "[9007199254740993]"})
    lists.push_back(Parse(list).AsValues());
  Values values = Parse(R"([1, 1.0, 2.5, "a", "c", null, true, [1], [], {"a":1}, 0,
                            9007199254740992])")
                      .AsValues();
  for (Value value :
       {Value::Object({{"a", NaN()}}), NaN(), Value::Undefined(), Value::Double(-0.0)})
    values.push_back(std::move(value));
  for (size_t i = 0; i < lists.size(); ++i) {
    std::vector<const Value*> constants;
    for (const Value& constant : lists[i]) constants.push_back(&constant);
    const ConstantSet set(constants);
    for (size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(set.Contains(values[j]), In(values[j], lists[i])) << j << " in list " << i;
  }
}

}  // namespace
}  // namespace orrery::model::sql
