#include "api/cassandra/system/build/table_builder.h"

#include <gtest/gtest.h>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {
namespace {

TEST(TableBuilderTest, ColumnsStandInTheOrderOfSelectStar) {
  const TablePtr table = TableBuilder("ks", "t", "a comment")
                             .PartitionKey({{"z", "int"}, {"y", "int"}})
                             .Clustering({{"x", "text"}})
                             .Regular({{"b", "set<text>"}, {"a", "frozen<list<int>>"}})
                             .Empty();
  std::string names;
  for (const Column& column : table->columns) names += column.name;
  EXPECT_EQ(names, "zyxab");
  EXPECT_EQ(table->partition_key_count, 2U);
  EXPECT_EQ(table->clustering_count, 1U);
  EXPECT_EQ(table->partition_key()[1].position, 1U);
  EXPECT_EQ(table->Find("a")->type->CqlName(), "frozen<list<int>>");
  EXPECT_TRUE(table->Find("b")->type->is_multi_cell());
  EXPECT_EQ(table->options.comment, "a comment");
  EXPECT_NE(table->FindById(table->Find("b")->id), table->FindById(table->Find("a")->id));
}

TEST(TableBuilderTest, OptionsDoNotTakeTheCommentAway) {
  TableOptions options;
  options.gc_grace_seconds = 5;
  const TablePtr table =
      TableBuilder("ks", "t", "kept").Options(options).PartitionKey({{"k", "int"}}).Empty();
  EXPECT_EQ(table->options.gc_grace_seconds, 5);
  EXPECT_EQ(table->options.comment, "kept");
}

TEST(TableBuilderTest, TheSourceWritesRowsOrRefuses) {
  const Schema schema;
  const Client client;
  const VirtualQuery query{schema, client, std::nullopt};
  const TablePtr good = TableBuilder("ks", "t", "")
                            .PartitionKey({{"k", "text"}})
                            .Regular({{"v", "int"}, {"w", "int"}})
                            .Build([](const VirtualQuery&, RowSet& rows) -> CqlStatus {
                              rows.Add().Text("k", "one").Int("w", 2);
                              return {};
                            });
  const auto rows = good->source->Rows(query);
  ASSERT_TRUE(rows.has_value());
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ((*rows)[0], (VirtualRow{"one", std::nullopt, std::string("\0\0\0\2", 4)}));

  const TablePtr bad =
      TableBuilder("ks", "u", "")
          .PartitionKey({{"k", "text"}})
          .Build([](const VirtualQuery&, RowSet&) -> CqlStatus { return Invalid("no"); });
  const auto refused = bad->source->Rows(query);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "no");
}

}  // namespace
}  // namespace orrery::cassandra
