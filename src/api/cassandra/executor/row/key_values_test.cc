#include "api/cassandra/executor/row/key_values.h"

#include <gtest/gtest.h>

#include <map>

#include "api/cassandra/planner/restriction/clustering_range.h"
#include "api/cassandra/planner/test_tables.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

using testing::Bytes;
using testing::Int;
using testing::Native;
using testing::TableBuilder;
using testing::Text;
using Values = std::vector<std::string>;

TEST(PartitionKeyValues, OfOneColumnAreTheBytesThemselves) {
  const TablePtr table = TableBuilder().Key("k", Int()).Build();
  EXPECT_EQ(PartitionKeyValues(*table, Bytes(1)), Values{Bytes(1)});
}

TEST(PartitionKeyValues, OfSeveralColumnsAreTakenApart) {
  const TablePtr table = TableBuilder().Key("x", Int()).Key("y", Text()).Build();
  const std::string x = Bytes(1);
  const std::vector<std::string_view> components = {x, "ab"};
  const auto key = gateway::JoinKeyComponents(components);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(PartitionKeyValues(*table, *key), (Values{x, "ab"}));
  EXPECT_EQ(PartitionKeyValues(*table, "damaged").error().code(), Code::kCorruption);
}

class ClusteringValuesTest : public ::testing::Test {
 protected:
  std::string Key(const Values& values) {
    std::string key;
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(AppendClustering(key, table_->clustering()[i], values[i]).has_value());
    return key;
  }

  static TableBuilder Builder() {
    TableBuilder builder;
    builder.Key("k", Int())
        .Clustering("a", Int(), /*descending=*/true)
        .Clustering("b", Text())
        .Clustering("d", Native(TypeKind::kVarint));
    return builder;
  }

  const TablePtr table_ = Builder().Build();
};

TEST_F(ClusteringValuesTest, ComeBackInBothDirections) {
  const Values values = {Bytes(-5), std::string("x\0y", 3), "\x01"};
  EXPECT_EQ(ClusteringValues(*table_, Key(values)), values);
  const Values empty = {"", "", "\x7f"};
  EXPECT_EQ(ClusteringValues(*table_, Key(empty)), empty);
}

TEST_F(ClusteringValuesTest, EqualValuesHaveOneForm) {
  const auto values =
      ClusteringValues(*table_, Key({Bytes(1), "x", std::string("\x00\x00\x01", 3)}));
  ASSERT_TRUE(values.has_value());
  EXPECT_EQ((*values)[2], "\x01");
}

TEST_F(ClusteringValuesTest, DamagedKeysAreRefused) {
  const std::string key = Key({Bytes(1), "x", "\x01"});
  for (size_t size = 0; size < key.size(); ++size)
    EXPECT_FALSE(ClusteringValues(*table_, key.substr(0, size)).has_value()) << size;
  EXPECT_FALSE(ClusteringValues(*table_, "\xff\xff\xff").has_value());
}

TEST_F(ClusteringValuesTest, RowsOfCompactStorageMayEndBetweenTwoValues) {
  const TablePtr compact = Builder().Compact().Build();
  Table dropped = *compact;
  dropped.is_compact = false;
  dropped.was_compact = true;
  const std::string key = Key({Bytes(1), "x", "\x01"});
  std::map<size_t, Values> whole;
  for (const Values& values : {Values{}, Values{Bytes(1)}, Values{Bytes(1), "x"}})
    whole[Key(values).size()] = values;
  for (const Table* table : {compact.get(), static_cast<const Table*>(&dropped)}) {
    for (size_t size = 0; size < key.size(); ++size) {
      const auto values = ClusteringValues(*table, key.substr(0, size));
      EXPECT_EQ(values.has_value(), whole.contains(size)) << size;
      if (values.has_value()) EXPECT_EQ(*values, whole[size]);
    }
  }
}

}  // namespace
}  // namespace orrery::cassandra
