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
  // Where one ends and the other begins counts, too.
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
  // Whoever has it goes on with it.
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
