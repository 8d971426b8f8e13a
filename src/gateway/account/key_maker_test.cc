#include "gateway/account/key_maker.h"

#include <gtest/gtest.h>

#include "gateway/catalog/container_settings.h"
#include "model/document/json.h"

namespace orrery::gateway {
namespace {

using model::Value;

const partition::Limits kLimits;

item::ContainerSchema Schema(std::vector<std::string> paths,
                             partition::KeyHashing hashing = partition::KeyHashing::kV2,
                             model::Order order = model::Order::kSql) {
  ContainerSettings settings;
  settings.name = "c";
  settings.partition_key_paths = std::move(paths);
  settings.hashing = hashing;
  settings.order = order;
  return *MakeSchema(ContainerId(1), settings, partition::ContainerKind::kUnlimited,
                     StoredIndexing(), kLimits);
}

TEST(KeyMaker, HashIsTheClients) {
  const auto key =
      RoutePartitionKey(Schema({"/city"}), std::vector{Value::String("redmond")}, kLimits);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(key->hash.ToString(), "22E342F38A486A088463DFF7838A5963");
}

TEST(KeyMaker, DocumentsSayTheirKeys) {
  const auto schema = Schema({"/a/b"});
  const auto document = *model::ParseJson(R"({"id": "x", "a": {"b": 5}})");
  EXPECT_EQ(*RoutePartitionKey(schema, PartitionKeyOf(schema, document), kLimits),
            *RoutePartitionKey(schema, std::vector{Value::Int32(5)}, kLimits));
  // 5 and 5.0 are one number to SQL.
  EXPECT_EQ(RoutePartitionKey(schema, std::vector{Value::Double(5)}, kLimits)->encoded,
            RoutePartitionKey(schema, std::vector{Value::Int32(5)}, kLimits)->encoded);
  const auto without = *model::ParseJson(R"({"id": "x"})");
  const auto undefined = RoutePartitionKey(schema, PartitionKeyOf(schema, without), kLimits);
  ASSERT_TRUE(undefined.has_value());
  EXPECT_EQ(undefined->hash.ToString(), "11622DAA78F835834610ABE56EFF5CB5");
}

TEST(KeyMaker, ContainerWithoutKeyHasOneLogicalPartition) {
  const auto key = RoutePartitionKey(Schema({}), {}, kLimits);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(*key, (RoutedKey{Hash128::Min(), ""}));
  EXPECT_FALSE(RoutePartitionKey(Schema({}), std::vector{Value::Int32(1)}, kLimits).has_value());
}

TEST(KeyMaker, LimitsOfThePartitionKey) {
  const auto schema = Schema({"/a"});
  EXPECT_TRUE(RoutePartitionKey(schema, std::vector{Value::String(std::string(2048, 'x'))}, kLimits)
                  .has_value());
  const auto long_key =
      RoutePartitionKey(schema, std::vector{Value::String(std::string(2049, 'x'))}, kLimits);
  ASSERT_FALSE(long_key.has_value());
  EXPECT_EQ(long_key.error().code(), Code::kTooLarge);
  EXPECT_NE(long_key.error().message().find("2049 bytes, the most is 2048"), std::string::npos);

  const auto v1 = Schema({"/a"}, partition::KeyHashing::kV1);
  const auto routed =
      RoutePartitionKey(v1, std::vector{Value::String(std::string(200, 'x'))}, kLimits);
  const auto longer =
      RoutePartitionKey(v1, std::vector{Value::String(std::string(201, 'x'))}, kLimits);
  ASSERT_TRUE(routed.has_value() && longer.has_value());
  EXPECT_EQ(routed->hash, longer->hash);
  EXPECT_NE(routed->encoded, longer->encoded);

  EXPECT_FALSE(RoutePartitionKey(schema, {}, kLimits).has_value());
  EXPECT_FALSE(RoutePartitionKey(schema, std::vector{Value::Array({})}, kLimits).has_value());
  EXPECT_FALSE(RoutePartitionKey(schema, std::vector{Value::Object({})}, kLimits).has_value());
}

TEST(KeyMaker, PrefixOfAHierarchicalKey) {
  const auto schema = Schema({"/tenant", "/user"}, partition::KeyHashing::kMultiHash);
  const auto prefix = RouteKeyPrefix(schema, std::vector{Value::String("t")}, kLimits);
  ASSERT_TRUE(prefix.has_value());
  const auto whole =
      RoutePartitionKey(schema, std::vector{Value::String("t"), Value::String("u")}, kLimits);
  ASSERT_TRUE(whole.has_value());
  EXPECT_TRUE(prefix->range.Contains(whole->hash));
  EXPECT_TRUE(whole->encoded.starts_with(prefix->encoded));
  EXPECT_FALSE(RouteKeyPrefix(Schema({"/a"}), {}, kLimits).has_value());
}

TEST(KeyMaker, RowKeys) {
  const auto sql = Schema({"/a"});
  EXPECT_TRUE(EncodeRowKey(sql, Value::String(std::string(2048, 'x')), kLimits).has_value());
  EXPECT_EQ(EncodeRowKey(sql, Value::String(std::string(2049, 'x')), kLimits).error().code(),
            Code::kTooLarge);
  EXPECT_EQ(EncodeRowKey(sql, Value::Int32(5), kLimits).error().code(), Code::kInvalidArgument);
  EXPECT_TRUE(EncodeRowKey(sql, Value::String("/ \\ ? #"), kLimits).has_value());
  EXPECT_TRUE(EncodeRowKey(sql, Value::String(""), kLimits).has_value());
  const auto missing = EncodeRowKey(sql, Value::Undefined(), kLimits);
  EXPECT_NE(missing.error().message().find("'/id' is missing"), std::string::npos)
      << missing.error().message();

  const auto mongo = Schema({"/a"}, partition::KeyHashing::kV2, model::Order::kMongo);
  EXPECT_TRUE(EncodeRowKey(mongo, Value::Int32(5), kLimits).has_value());
  EXPECT_TRUE(EncodeRowKey(mongo, Value::Null(), kLimits).has_value());
  EXPECT_TRUE(EncodeRowKey(mongo, Value::String(""), kLimits).has_value());
  EXPECT_FALSE(EncodeRowKey(mongo, Value::Array({}), kLimits).has_value());
  EXPECT_FALSE(EncodeRowKey(mongo, Value::Undefined(), kLimits).has_value());
}

}  // namespace
}  // namespace orrery::gateway
