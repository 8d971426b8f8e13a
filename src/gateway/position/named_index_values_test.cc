#include "gateway/position/named_index_values.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/key/key_codec.h"

namespace orrery::gateway {
namespace {

using model::Value;

class NamedIndexValuesTest : public testing::Test {
 protected:
  NamedIndexValuesTest() {
    const std::vector<model::Path> paths = {*model::Path::Parse("/a"), *model::Path::Parse("/b")};
    schema_.indexing = item::IndexPolicy::All().WithNamed({{1, "x", {paths[0]}}, {2, "y", paths}});
  }
  std::vector<std::string> Of(uint32_t id, std::string_view json) {
    const NamedIndexValues values(schema_, item::NamedIndexId(id));
    return *values.Of(*model::ParseJson(json));
  }
  std::string Encode(const model::Values& values) {
    return model::EncodeKey(values, schema_.order);
  }

  item::ContainerSchema schema_;
};

TEST_F(NamedIndexValuesTest, OfOneIndexOnly) {
  EXPECT_EQ(Of(1, R"({"a":1,"b":2})"), std::vector{Encode({Value::Int32(1)})});
  EXPECT_EQ(Of(2, R"({"a":1,"b":2})"), std::vector{Encode({Value::Int32(1), Value::Int32(2)})});
  EXPECT_TRUE(Of(3, R"({"a":1,"b":2})").empty());
}

TEST_F(NamedIndexValuesTest, WhatIsNotThereAndWhatIsThereSeveralTimes) {
  EXPECT_EQ(Of(2, R"({"a":1})"), std::vector{Encode({Value::Int32(1), Value::Undefined()})});
  EXPECT_EQ(Of(2, R"({"a":[3,1],"b":2})"),
            (std::vector{Encode({Value::Int32(1), Value::Int32(2)}),
                         Encode({Value::Int32(3), Value::Int32(2)})}));
}

}  // namespace
}  // namespace orrery::gateway
