#include "item/write/prepared_item.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

class LifetimeTest : public testing::Test {
 protected:
  std::optional<Micros> Lifetime(std::string_view json) {
    const auto lifetime = LifetimeOf(*schema_, Json(json));
    EXPECT_TRUE(lifetime.has_value()) << json;
    return lifetime.value_or(std::nullopt);
  }
  bool Refuses(std::string_view json) {
    const auto lifetime = LifetimeOf(*schema_, Json(json));
    return !lifetime.has_value() && lifetime.error().code() == Code::kInvalidArgument;
  }

  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
};

TEST_F(LifetimeTest, WithoutADefaultNothingExpires) {
  EXPECT_EQ(Lifetime(R"({"ttl":5})"), std::nullopt);
  EXPECT_EQ(Lifetime(R"({"ttl":"nonsense"})"), std::nullopt);
}

TEST_F(LifetimeTest, ADefaultOfMinusOneLeavesItToTheItem) {
  schema_->default_ttl_s = -1;
  EXPECT_EQ(Lifetime(R"({"a":1})"), std::nullopt);
  EXPECT_EQ(Lifetime(R"({"ttl":5})"), std::chrono::seconds(5));
}

TEST_F(LifetimeTest, TheItemsOwnBeatsTheDefault) {
  schema_->default_ttl_s = 60;
  EXPECT_EQ(Lifetime(R"({"a":1})"), std::chrono::seconds(60));
  EXPECT_EQ(Lifetime(R"({"ttl":null})"), std::chrono::seconds(60));
  EXPECT_EQ(Lifetime(R"({"ttl":5})"), std::chrono::seconds(5));
  EXPECT_EQ(Lifetime(R"({"ttl":5.0})"), std::chrono::seconds(5));
  EXPECT_EQ(Lifetime(R"({"ttl":-1})"), std::nullopt);
  EXPECT_EQ(Lifetime(R"({"ttl":2147483647})"), std::chrono::seconds(2'147'483'647));
}

TEST_F(LifetimeTest, OnlyWholePositiveNumbersAreTtls) {
  schema_->default_ttl_s = 60;
  for (const char* json : {R"({"ttl":0})", R"({"ttl":-2})", R"({"ttl":1.5})",
                           R"({"ttl":2147483648})", R"({"ttl":1e300})", R"({"ttl":-1e300})",
                           R"({"ttl":"5"})", R"({"ttl":true})", R"({"ttl":[5]})"}) {
    EXPECT_TRUE(Refuses(json)) << json;
  }
}

TEST(PrepareTest, WorksOutEverything) {
  const auto schema = IndexedSchema();
  schema->default_ttl_s = 60;
  schema->unique_keys = {{.paths = {PathOf("/a")}}, {.paths = {PathOf("/a"), PathOf("/b")}}};
  const model::Document document = Json(R"({"a":1,"b":"x"})");
  const auto prepared = Prepare(*schema, HashOfKey("p"), Tuple("p"), document);
  ASSERT_TRUE(prepared.has_value());
  EXPECT_EQ(prepared->record.bson(), document.bson());
  EXPECT_EQ(prepared->terms.size(), 2u);
  EXPECT_EQ(prepared->unique_keys.size(), 2u);
  EXPECT_EQ(prepared->lifetime, std::chrono::seconds(60));
  EXPECT_GT(prepared->bytes(), document.bson().size());
}

TEST(UniqueKeysTest, EqualValuesGiveEqualKeys) {
  const auto schema = PlainSchema();
  schema->unique_keys = {{.paths = {PathOf("/a"), PathOf("/b")}}};
  const auto keys = [&](std::string_view json) {
    return UniqueKeysOf(*schema, HashOfKey("p"), Tuple("p"), Json(json)).value();
  };
  EXPECT_EQ(keys(R"({"a":1,"b":2})"), keys(R"({"b":2.0,"a":1.0,"c":9})"));
  EXPECT_NE(keys(R"({"a":1,"b":2})"), keys(R"({"a":2,"b":1})"));
  EXPECT_EQ(keys(R"({"a":1})"), keys(R"({"a":1,"b":null})"));
  EXPECT_NE(keys(R"({"a":1})"), keys(R"({"a":1,"b":0})"));
}

TEST(UniqueKeysTest, ValuesAreBounded) {
  const auto schema = PlainSchema();
  schema->unique_keys = {{.paths = {PathOf("/a")}}};
  const std::string json = R"({"a":")" + std::string(kUniqueValuesBytesMax, 'x') + R"("})";
  EXPECT_EQ(UniqueKeysOf(*schema, HashOfKey("p"), Tuple("p"), Json(json)).error().code(),
            Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::item
