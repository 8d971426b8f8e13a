#include "api/cassandra/executor/statement/prepared_statements.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

PlannedPtr Plan() { return std::make_shared<const PlannedStatement>(); }

TEST(PreparedStatements, IdsDependOnTextAndKeyspaceOnly) {
  const std::string id = PreparedStatements::IdOf("SELECT 1", "ks");
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(PreparedStatements::IdOf("SELECT 1", "ks"), id);
  EXPECT_NE(PreparedStatements::IdOf("SELECT 1", "ks2"), id);
  EXPECT_NE(PreparedStatements::IdOf("SELECT 1 ", "ks"), id);
  // The boundary between the two counts, too.
  EXPECT_NE(PreparedStatements::IdOf("bc", "a"), PreparedStatements::IdOf("c", "ab"));
}

TEST(PreparedStatements, FindsWhatWasPut) {
  PreparedStatements statements;
  const PlannedPtr plan = Plan();
  const auto entry = statements.Put("SELECT 1", "ks", plan);
  EXPECT_EQ(entry->id, PreparedStatements::IdOf("SELECT 1", "ks"));
  EXPECT_EQ(entry->text, "SELECT 1");
  EXPECT_EQ(entry->keyspace, "ks");
  EXPECT_EQ(statements.Find(entry->id), entry);
  EXPECT_EQ(entry->planned.Load(), plan);
  EXPECT_EQ(statements.Find(std::string(16, 'x')), nullptr);
  EXPECT_EQ(statements.Find(""), nullptr);
  EXPECT_EQ(statements.Find("short"), nullptr);
}

TEST(PreparedStatements, PuttingAgainKeepsTheEntryAndChangesThePlan) {
  PreparedStatements statements;
  const auto first = statements.Put("SELECT 1", "ks", Plan());
  const PlannedPtr later = Plan();
  EXPECT_EQ(statements.Put("SELECT 1", "ks", later), first);
  EXPECT_EQ(first->planned.Load(), later);
  EXPECT_EQ(statements.List().size(), 1u);
}

TEST(PreparedStatements, RemovesByIdAndForgivesUnknownOnes) {
  PreparedStatements statements;
  const auto entry = statements.Put("SELECT 1", "", Plan());
  statements.Remove("nobody");
  EXPECT_EQ(statements.List().size(), 1u);
  statements.Remove(entry->id);
  EXPECT_EQ(statements.Find(entry->id), nullptr);
  EXPECT_TRUE(statements.List().empty());
  // A holder of an evicted entry goes on with it.
  EXPECT_EQ(entry->text, "SELECT 1");
}

TEST(PreparedStatements, ThoseNotUsedForLongestGo) {
  // Room for about a hundred.
  PreparedStatements statements(size_t{100} * 4'200);
  const auto used = statements.Put("used", "", Plan());
  const auto unused = statements.Put("unused", "", Plan());
  for (int i = 0; i < 1'000; ++i) {
    statements.Put("statement " + std::to_string(i), "", Plan());
    ASSERT_NE(statements.Find(used->id), nullptr) << i;
  }
  EXPECT_EQ(statements.Find(unused->id), nullptr);
  EXPECT_LE(statements.List().size(), 100u);
  EXPECT_GE(statements.List().size(), 16u);
}

TEST(PreparedStatements, OneThatIsTooLargeForAllIsKeptUntilTheNext) {
  PreparedStatements statements(1'000);
  const auto large = statements.Put(std::string(10'000, 'x'), "", Plan());
  EXPECT_EQ(statements.Find(large->id), large);
}

TEST(PreparedStatements, ThoseOfDroppedTablesAreForgotten) {
  const auto table = [](std::string name, std::string id) {
    auto made = std::make_shared<Table>();
    made->keyspace = "ks";
    made->name = std::move(name);
    made->id = std::move(id);
    return made;
  };
  const auto reading = [](const TablePtr& from) {
    auto select = std::make_shared<SelectPlan>();
    select->table = from;
    auto planned = std::make_shared<PlannedStatement>();
    planned->plan = SelectPlanPtr(std::move(select));
    return PlannedPtr(std::move(planned));
  };
  auto tree = std::make_shared<PlannedStatement>();
  tree->plan = std::make_shared<const ast::Statement>(ast::DropTable());
  PreparedStatements statements;
  const auto kept = statements.Put("of a table that stays", "", reading(table("kept", "1")));
  const auto schema_statement = statements.Put("of no table", "", tree);
  statements.Put("of one that is gone", "", reading(table("gone", "2")));
  statements.Put("of one that was made again", "", reading(table("again", "3")));
  Keyspace keyspace;
  keyspace.name = "ks";
  keyspace.tables["kept"] = table("kept", "1");
  keyspace.tables["again"] = table("again", "4");
  Schema schema;
  schema.keyspaces["ks"] = std::make_shared<const Keyspace>(std::move(keyspace));
  statements.RemoveDropped(schema);
  EXPECT_EQ(statements.List().size(), 2u);
  EXPECT_EQ(statements.Find(kept->id), kept);
  EXPECT_EQ(statements.Find(schema_statement->id), schema_statement);
  statements.RemoveDropped(Schema());
  EXPECT_EQ(statements.List().size(), 1u);
}

TEST(PreparedStatements, WhatIsRemovedMakesRoom) {
  PreparedStatements statements(size_t{16} * 2 * 4'200);
  for (int i = 0; i < 1'000; ++i) {
    const auto entry = statements.Put("statement " + std::to_string(i), "", Plan());
    statements.Remove(entry->id);
  }
  const auto kept = statements.Put("kept", "", Plan());
  EXPECT_EQ(statements.List().size(), 1u);
  EXPECT_EQ(statements.Find(kept->id), kept);
}

}  // namespace
}  // namespace orrery::cassandra
