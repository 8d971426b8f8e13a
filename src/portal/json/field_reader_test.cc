#include "portal/json/field_reader.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::portal {
namespace {

TEST(FieldReader, ReadsWhatIsThere) {
  const auto document =
      model::ParseJson(R"({"s":"x","n":7,"b":true,"o":{"k":1},"a":[1,2],"v":null})");
  ASSERT_TRUE(document.has_value());
  FieldReader reader(document->view());
  EXPECT_EQ(reader.RequiredString("s"), "x");
  EXPECT_EQ(reader.RequiredInteger("n"), 7);
  EXPECT_EQ(reader.Bool("b"), true);
  EXPECT_EQ(model::ToJson(*reader.Object("o")), R"({"k":1})");
  EXPECT_EQ(reader.Array("a")->ToArray().AsValues().size(), 2u);
  EXPECT_TRUE(reader.Any("v")->is_null());
  EXPECT_EQ(reader.String("absent"), std::nullopt);
  EXPECT_TRUE(reader.Finish().has_value());
}

TEST(FieldReader, NamesTheFieldOfAWrongType) {
  const auto document = model::ParseJson(R"({"n":"7","s":1.5})");
  FieldReader reader(document->view());
  EXPECT_EQ(reader.Integer("n"), std::nullopt);
  EXPECT_EQ(reader.String("s"), std::nullopt);
  EXPECT_EQ(reader.Finish().error().message(), "field 'n' must be a whole number");
}

TEST(FieldReader, NamesTheMissingField) {
  const auto document = model::ParseJson("{}");
  FieldReader reader(document->view());
  EXPECT_EQ(reader.RequiredString("name"), "");
  EXPECT_EQ(reader.Finish().error().message(), "field 'name' is required");
}

TEST(FieldReader, RefusesFieldsNobodyAskedFor) {
  const auto document = model::ParseJson(R"({"name":"a","trougput":400})");
  FieldReader reader(document->view());
  EXPECT_EQ(reader.RequiredString("name"), "a");
  EXPECT_EQ(reader.Object("throughput"), std::nullopt);
  const Status status = reader.Finish();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(status.error().message(), "unknown field 'trougput'; the fields are name, throughput");
}

}  // namespace
}  // namespace orrery::portal
