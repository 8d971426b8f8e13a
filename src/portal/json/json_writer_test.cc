#include "portal/json/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/document/json.h"

namespace orrery::portal {
namespace {

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter json;
  json.BeginObject().Field("name", "a\"b").Field("count", 3).Field("rate", 0.5).Field("on", true);
  json.Key("list")
      .BeginArray()
      .Integer(uint64_t{18446744073709551615u})
      .Null()
      .String("x")
      .EndArray();
  json.Key("empty").BeginObject().EndObject();
  json.EndObject();
  EXPECT_EQ(
      std::move(json).Finish(),
      R"({"name":"a\"b","count":3,"rate":0.5,"on":true,"list":[18446744073709551615,null,"x"],"empty":{}})");
}

TEST(JsonWriter, TakesDocumentsAndValues) {
  const auto document = model::ParseJson(R"({"a":[1,{"b":null}]})");
  ASSERT_TRUE(document.has_value());
  JsonWriter json;
  json.BeginArray().Document(document->view()).Value(model::Value::String("v")).EndArray();
  EXPECT_EQ(std::move(json).Finish(), R"([{"a":[1,{"b":null}]},"v"])");
}

TEST(JsonWriter, InfinityIsNull) {
  JsonWriter json;
  json.Double(std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::move(json).Finish(), "null");
}

}  // namespace
}  // namespace orrery::portal
