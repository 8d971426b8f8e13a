#include "api/cassandra/planner/term/variables.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Text;

TEST(Variables, AMarkerIsKnownByItsOwnNameElseByItsReceivers) {
  Variables variables({"", "given", ""});
  EXPECT_EQ(variables.size(), 3u);
  variables.Set(0, {"ks", "t", "v", Int()});
  variables.Set(1, {"ks", "t", "w", Text()});
  EXPECT_EQ(variables.NameOf(0), "v");
  EXPECT_EQ(variables.NameOf(1), "given");
  EXPECT_EQ(variables.NameOf(2), "");
  EXPECT_EQ(variables.receivers()[1]->name, "w");
  EXPECT_FALSE(variables.receivers()[2].has_value());
}

TEST(Variables, TheLastReceiverOfAMarkerCounts) {
  Variables variables({""});
  variables.Set(0, {"ks", "t", "v", Int()});
  variables.Set(0, {"ks", "t", "w", Text()});
  EXPECT_EQ(variables.NameOf(0), "w");
}

TEST(Variables, KeyIndexesAreInKeyOrderAndCompleteOrNone) {
  Variables variables({"", "", ""});
  variables.SetPartitionKey(2, 0);
  EXPECT_EQ(variables.PartitionKeyIndexes(1), std::vector<uint16_t>{2});
  EXPECT_TRUE(variables.PartitionKeyIndexes(2).empty());
  variables.SetPartitionKey(0, 1);
  EXPECT_EQ(variables.PartitionKeyIndexes(2), (std::vector<uint16_t>{2, 0}));

  Variables second_only({""});
  second_only.SetPartitionKey(0, 1);
  EXPECT_TRUE(second_only.PartitionKeyIndexes(2).empty());
}

TEST(Receiver, PartsBelongToTheTableOfTheWhole) {
  Table table;
  table.keyspace = "ks";
  table.name = "t";
  Column column;
  column.name = "m";
  column.type = Text();
  const Receiver whole = ReceiverOf(table, column);
  const Receiver part = PartOf(whole, "value(m)", Int());
  EXPECT_EQ(part.keyspace, "ks");
  EXPECT_EQ(part.table, "t");
  EXPECT_EQ(part.name, "value(m)");
  EXPECT_EQ(*part.type, *Int());
}

}  // namespace
}  // namespace orrery::cassandra
