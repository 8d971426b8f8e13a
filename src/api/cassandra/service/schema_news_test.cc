#include "api/cassandra/service/schema_news.h"

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class SchemaNewsTest : public SchemaFixture {
 protected:
  // Runs a statement as this node does.
  void RunHere(std::string_view text) {
    const SchemaOutcome outcome = Run(text);
    if (outcome.change.has_value()) news.SchemaChanged(*outcome.change);
  }
  std::vector<std::string> Told() { return std::exchange(told, {}); }

  std::vector<std::string> told;
  int woken = 0;
  SchemaNews news{
      *cache, [this](const Event& event) { told.push_back(std::get<SchemaChange>(event).name); },
      [this] { ++woken; }};
};

using Names = std::vector<std::string>;

TEST_F(SchemaNewsTest, AStatementOfThisNodeIsToldOnce) {
  RunHere("CREATE TABLE t (k int PRIMARY KEY)");
  EXPECT_EQ(Told(), Names{"t"});
  EXPECT_EQ(woken, 1);
  news.Follow();
  EXPECT_EQ(Told(), Names{});
}

TEST_F(SchemaNewsTest, WhatAnotherNodeChangedIsToldOnce) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  EXPECT_EQ(Told(), Names{});
  news.Follow();
  EXPECT_EQ(Told(), Names{"t"});
  EXPECT_EQ(woken, 0) << "whoever made a view fills it";
  news.Follow();
  EXPECT_EQ(Told(), Names{});
}

TEST_F(SchemaNewsTest, BothAtOnce) {
  Run("CREATE TABLE other (k int PRIMARY KEY)");
  RunHere("CREATE TABLE t (k int PRIMARY KEY)");
  EXPECT_EQ(Told(), (Names{"t", "other"}));
  news.Follow();
  EXPECT_EQ(Told(), Names{});
}

TEST_F(SchemaNewsTest, AStatementThatChangedNoDefinitionIsToldToo) {
  Run("CREATE TABLE t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1000");
  news.Follow();
  Told();
  RunHere("ALTER TABLE t WITH cosmosdb_provisioned_throughput = 2000");
  EXPECT_EQ(Told(), Names{"t"});
}

}  // namespace
}  // namespace orrery::cassandra
