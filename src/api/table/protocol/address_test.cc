#include "api/table/protocol/address.h"

#include <gtest/gtest.h>

namespace orrery::table {
namespace {

Outcome<Address> Read(std::vector<std::string> segments) {
  const std::vector<std::string> accounts = {"localhost", "devstoreaccount1"};
  return ReadAddress(segments, accounts);
}

TEST(Address, Resources) {
  EXPECT_EQ(Read({})->kind, ResourceKind::kService);
  EXPECT_EQ(Read({"Tables"})->kind, ResourceKind::kTables);
  EXPECT_EQ(Read({"Tables()"})->kind, ResourceKind::kTables);
  EXPECT_EQ(Read({"Tables('People')"})->table, "People");
  EXPECT_EQ(Read({"People"})->kind, ResourceKind::kEntities);
  EXPECT_EQ(Read({"People()"})->table, "People");
  EXPECT_EQ(Read({"$batch"})->kind, ResourceKind::kBatch);
}

TEST(Address, Keys) {
  struct Case {
    std::string inside, partition_key, row_key;
  };
  const Case cases[] = {{"PartitionKey='a',RowKey='b'", "a", "b"},
                        {"RowKey='b',PartitionKey='a'", "a", "b"},
                        {"PartitionKey='a', RowKey='b'", "a", "b"},
                        {"PartitionKey='',RowKey=''", "", ""},
                        {"PartitionKey='it''s',RowKey='x'", "it's", "x"},
                        {"PartitionKey='a,b=(c)',RowKey=')'", "a,b=(c)", ")"},
                        {"PartitionKey=''',RowKey=''',RowKey='x'", "',RowKey='", "x"},
                        // Quotes that the client did not double.
                        {"PartitionKey='it's',RowKey='x'", "it's", "x"}};
  for (const Case& each : cases) {
    const auto address = Read({"People(" + each.inside + ")"});
    ASSERT_TRUE(address.has_value()) << each.inside;
    EXPECT_EQ(address->partition_key, each.partition_key) << each.inside;
    EXPECT_EQ(address->row_key, each.row_key) << each.inside;
  }
}

TEST(Address, Accounts) {
  EXPECT_EQ(Read({"devstoreaccount1", "Tables"})->account, "devstoreaccount1");
  const auto secondary = Read({"devstoreaccount1-secondary", "People"});
  EXPECT_EQ(secondary->account, "devstoreaccount1");
  EXPECT_TRUE(secondary->is_secondary);
  EXPECT_EQ(Read({"other"})->table, "other");
}

TEST(Address, RefusesOtherPaths) {
  for (const std::vector<std::string>& segments : {std::vector<std::string>{"a", "b"},
                                                   {"People(PartitionKey='a')"},
                                                   {"People(PartitionKey='a',RowKey='b'"},
                                                   {"People(PartitionKey='a',PartitionKey='b')"},
                                                   {"People(x)"},
                                                   {"Tables(x)"}})
    EXPECT_FALSE(Read(segments).has_value()) << segments.front();
}

TEST(Address, TableNames) {
  EXPECT_TRUE(CheckTableName("People1").has_value());
  for (const std::string_view name : {"a-b", "1ab", "Tables", "", "ab", "päople"})
    EXPECT_FALSE(CheckTableName(name).has_value()) << name;
}

}  // namespace
}  // namespace orrery::table
