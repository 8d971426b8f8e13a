#include "query/source/scan_plan.h"

#include <gtest/gtest.h>

#include "model/key/key_codec.h"

namespace orrery::query {
namespace {

using model::Value;
using partition::HashRange;

class ScanPlanTest : public testing::Test {
 protected:
  ScanPlanTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    schema_.indexing = item::IndexPolicy::All();
  }

  // By values of one path.
  AccessPath ByValues(std::string path, const std::vector<Value>& values) const {
    AccessPath access;
    access.index = AutomaticIndexAt(DocumentPath().Field(std::move(path)), {}, schema_);
    for (const Value& value : values) {
      const item::ValueBound bound{model::EncodeKey({&value, 1}, schema_.order), true};
      access.index->ranges.push_back({bound, bound});
    }
    return access;
  }
  std::vector<ScanStream> Plan(const AccessPath& path,
                               std::optional<HashRange> range = std::nullopt) const {
    const std::vector<HashRange> halves =
        partition::DivideEvenly(partition::UsedSpan(schema_.hashing), 2);
    auto streams = PlanScans(path, {.partition_key = {}, .range = range, .session = {}}, schema_,
                             halves, std::nullopt);
    EXPECT_TRUE(streams.has_value());
    return *std::move(streams);
  }

  item::ContainerSchema schema_;
};

TEST_F(ScanPlanTest, ValuesOfTheKeyAreInOnePlaceEach) {
  const std::vector<Value> keys = {Value::Int32(5), Value::String("redmond")};
  const auto streams = Plan(ByValues("pk", keys));
  ASSERT_EQ(streams.size(), 1u);
  ASSERT_EQ(streams[0].size(), 2u);
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto place = partition::RangeOfPrefix(schema_.hashing, {&keys[i], 1});
    EXPECT_EQ(streams[0][i].spec.range, *place);
  }
  // Of another path they may be anywhere.
  const auto others = Plan(ByValues("x", keys));
  ASSERT_EQ(others.size(), 2u);
  for (const ScanStream& stream : others) {
    ASSERT_EQ(stream.size(), 1u);
    EXPECT_EQ(stream[0].spec.index->further.size(), 1u);
  }
}

TEST_F(ScanPlanTest, WhatIsOutsideOfTheRangeIsNotRead) {
  const Value key = Value::String("redmond");
  const HashRange place = *partition::RangeOfPrefix(schema_.hashing, {&key, 1});
  const auto halves = partition::DivideEvenly(partition::UsedSpan(schema_.hashing), 2);
  const bool is_first = halves[0].Intersect(place).has_value();
  EXPECT_EQ(Plan(ByValues("pk", {key}), halves[is_first ? 0 : 1])[0].size(), 1u);
  EXPECT_EQ(Plan(ByValues("pk", {key}), halves[is_first ? 1 : 0])[0].size(), 0u);
}

TEST_F(ScanPlanTest, ValuesOfTheFirstPathOfAHierarchicalKey) {
  schema_.partition_key_paths.push_back(*model::Path::Parse("/user"));
  schema_.hashing = partition::KeyHashing::kMultiHash;
  const Value tenant = Value::String("t");
  const auto streams = Plan(ByValues("pk", {tenant}));
  EXPECT_EQ(streams[0][0].spec.range, *partition::RangeOfPrefix(schema_.hashing, {&tenant, 1}));
  EXPECT_EQ(Plan(ByValues("user", {tenant}))[0][0].spec.range, HashRange());
}

TEST_F(ScanPlanTest, RowKeysOfARange) {
  schema_.partition_key_paths.clear();
  schema_.order = model::Order::kMongo;
  const auto encode = [&](int number) {
    const Value value = Value::Int32(number);
    return model::EncodeKey({&value, 1}, schema_.order);
  };
  AccessPath path;
  path.partition_key.emplace();
  path.row_keys = {{item::ValueBound{encode(3), false}, item::ValueBound{encode(9), false}}};
  auto streams = Plan(path);
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0][0].spec.row_key_lower, encode(3));
  EXPECT_EQ(streams[0][0].spec.row_key_upper, encode(9));
  path.row_keys.front().lower.reset();
  path.row_keys.front().upper->inclusive = true;
  streams = Plan(path);
  EXPECT_EQ(streams[0][0].spec.row_key_lower, std::nullopt);
  EXPECT_EQ(streams[0][0].spec.row_key_upper, item::PrefixEnd(encode(9)));
}

TEST_F(ScanPlanTest, RowKeysOfAListComeOneAfterTheOther) {
  schema_.partition_key_paths.clear();
  AccessPath path;
  path.partition_key.emplace();
  std::vector<std::string> keys;
  for (const int number : {3, 5, 9}) {
    const Value value = Value::Int32(number);
    keys.push_back(model::EncodeKey({&value, 1}, schema_.order));
    const item::ValueBound bound{keys.back(), true};
    path.row_keys.push_back({bound, bound});
  }
  const auto streams = Plan(path);
  ASSERT_EQ(streams.size(), 1u);
  ASSERT_EQ(streams[0].size(), 3u);
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(streams[0][i].spec.row_key_lower, keys[i]);
  // Those before a position are left out, and the one at it is known.
  const auto left = PlanScans(
      path, {}, schema_, {},
      ScanPosition{
          .resume = DocumentSource::Resume::kBehind, .value = {}, .key = {{}, {}, keys[1]}});
  ASSERT_TRUE(left.has_value());
  ASSERT_EQ((*left)[0].size(), 2u);
  EXPECT_EQ((*left)[0][0].spec.row_key_lower, keys[1]);
  EXPECT_TRUE((*left)[0][0].resume.has_value());
  EXPECT_EQ((*left)[0][1].spec.row_key_lower, keys[2]);
  // The other way round.
  path.row_keys_descend = true;
  const auto falling = PlanScans(
      path, {}, schema_, {},
      ScanPosition{
          .resume = DocumentSource::Resume::kBehind, .value = {}, .key = {{}, {}, keys[1]}});
  ASSERT_TRUE(falling.has_value());
  ASSERT_EQ((*falling)[0].size(), 2u);
  EXPECT_TRUE((*falling)[0][0].spec.descending);
  EXPECT_EQ((*falling)[0][0].spec.row_key_upper, keys[1] + '\0');
  EXPECT_EQ((*falling)[0][1].spec.row_key_lower, keys[0]);
}

}  // namespace
}  // namespace orrery::query
