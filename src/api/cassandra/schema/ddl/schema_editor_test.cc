#include "api/cassandra/schema/ddl/schema_editor.h"

#include <thread>

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Editor : public SchemaFixture {};

TEST_F(Editor, StatementsOfManyThreadsDoNotUndoEachOther) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  constexpr int kThreads = 4;
  constexpr int kColumns = 5;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < kColumns; ++j) Run(fmt::format("ALTER TABLE t ADD c{}_{} int", i, j));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Table("t")->columns.size(), 1u + kThreads * kColumns);
  EXPECT_EQ(Table("t")->highest_column_id, kThreads * kColumns);
}

TEST_F(Editor, StatementsOfSeveralNodesDoNotUndoEachOther) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  constexpr int kNodes = 3;
  constexpr int kEach = 5;
  std::vector<std::thread> nodes;
  for (int i = 0; i < kNodes; ++i) {
    // Nodes have the catalog in common, and nothing else.
    nodes.emplace_back([&, i] {
      const SchemaCache cache_of_node(*server.catalog, {});
      uint64_t made = 0;
      SchemaEditor editor_of_node({.catalog = *server.catalog,
                                   .schema = cache_of_node,
                                   .functions = checker,
                                   .clock = server.clock,
                                   .new_id = [&] { return MakeRandomUuid(2 + i, ++made); },
                                   .datacenter = "datacenter1"});
      for (int j = 0; j < kEach; ++j) {
        for (const std::string& text : {fmt::format("ALTER TABLE t ADD c{}_{} int", i, j),
                                        fmt::format("CREATE TYPE ty{}_{} (f int)", i, j)}) {
          const auto outcome = editor_of_node.Run(Parse(text), "ks", {});
          EXPECT_TRUE(outcome.has_value()) << text << ": " << outcome.error().message;
        }
      }
    });
  }
  for (std::thread& node : nodes) node.join();
  EXPECT_EQ(Table("t")->columns.size(), 1u + kNodes * kEach);
  EXPECT_EQ(Table("t")->highest_column_id, kNodes * kEach);
  EXPECT_EQ(ks()->types.size(), size_t{kNodes * kEach});
}

TEST_F(Editor, OnlyOneOfManyMakesATable) {
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (Run("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY)").change.has_value()) ++made;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST_F(Editor, WhatTheCatalogRefusesIsAboutTheStatement) {
  const auto outcome = Try(fmt::format("CREATE TABLE t (k int PRIMARY KEY) WITH comment = '{}'",
                                       std::string(gateway::kSettingsBytesMax, 'x')));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kInvalid);
}

TEST_F(Editor, KnowsItsStatements) {
  EXPECT_TRUE(IsSchemaStatement(Parse("DROP TABLE t")));
  EXPECT_FALSE(IsSchemaStatement(Parse("SELECT * FROM t")));
  EXPECT_FALSE(IsSchemaStatement(Parse("DESCRIBE TABLES")));
}

}  // namespace
}  // namespace orrery::cassandra
