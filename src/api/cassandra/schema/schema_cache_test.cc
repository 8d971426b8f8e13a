#include "api/cassandra/schema/schema_cache.h"

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Cache : public SchemaFixture {};

TEST_F(Cache, IsTheSameUntilTheCatalogChanges) {
  const SchemaPtr first = schema();
  EXPECT_EQ(schema(), first);
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  const SchemaPtr second = schema();
  EXPECT_NE(second, first);
  EXPECT_NE(second->version, first->version);
  EXPECT_EQ(first->FindTable("ks", "t"), nullptr) << "a statement keeps the schema it began with";
  EXPECT_NE(second->FindTable("ks", "t"), nullptr);
}

TEST_F(Cache, KeepsWhatDidNotChange) {
  Run("CREATE KEYSPACE other WITH replication = {'class': 'SimpleStrategy'}");
  Run("CREATE TABLE a (k int PRIMARY KEY)");
  const SchemaPtr before = schema();
  Run("CREATE TABLE b (k int PRIMARY KEY)");
  EXPECT_EQ(schema()->FindKeyspace("other"), before->FindKeyspace("other"));
  EXPECT_EQ(Table("a"), before->FindTable("ks", "a"));
  Run("ALTER TABLE b ADD v int");
  EXPECT_EQ(Table("a"), before->FindTable("ks", "a"));
  Run("CREATE TYPE ty (f int)");
  EXPECT_NE(Table("a"), before->FindTable("ks", "a")) << "it might use the type";
}

TEST_F(Cache, VersionsAreOfDefinitions) {
  Run("CREATE TABLE t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1000");
  const std::string version = schema()->version;
  EXPECT_EQ(version.size(), 16u);
  const TablePtr table = Table("t");
  Run("ALTER TABLE t WITH cosmosdb_provisioned_throughput = 2000");
  EXPECT_EQ(schema()->version, version);
  EXPECT_NE(Table("t"), table);
  EXPECT_EQ(Table("t")->digest, table->digest);
  Run("ALTER TABLE t WITH comment = 'x'");
  EXPECT_NE(schema()->version, version);
  Run("ALTER TABLE t WITH comment = ''");
  EXPECT_EQ(schema()->version, version) << "equal definitions, equal version";
  Restart();
  EXPECT_EQ(schema()->version, version);
}

TEST_F(Cache, LeavesOutWhatOtherApisMade) {
  server.MakeContainer("documents");
  ASSERT_TRUE(server.catalog
                  ->CreateContainer("ks",
                                    [] {
                                      gateway::ContainerSettings settings;
                                      settings.name = "documents";
                                      settings.partition_key_paths = {"/pk"};
                                      return settings;
                                    }())
                  .has_value());
  EXPECT_EQ(schema()->FindKeyspace("db"), nullptr);
  EXPECT_EQ(Table("documents"), nullptr);
  EXPECT_TRUE(schema()->damaged.empty());
}

TEST_F(Cache, OneDamagedTableDoesNotHideTheOthers) {
  Run("CREATE TABLE good (k int PRIMARY KEY)");
  Run("CREATE TABLE bad (k int PRIMARY KEY)");
  gateway::ContainerSettings settings = Table("bad")->container->settings;
  settings.extra = gateway::Json(R"({"api": "cassandra", "version": 1})");
  ASSERT_TRUE(server.catalog->UpdateContainer("ks", settings).has_value());
  EXPECT_NE(Table("good"), nullptr);
  EXPECT_EQ(Table("bad"), nullptr);
  const auto required = schema()->RequireTable("ks", "bad");
  EXPECT_TRUE(required.error().message.contains("table 'ks.bad' cannot be read"));

  Run("DROP TABLE bad");
  EXPECT_TRUE(schema()->damaged.empty());
}

TEST_F(Cache, ADamagedKeyspaceCanBeDropped) {
  ASSERT_TRUE(server.catalog->UpdateDatabase("ks", gateway::Json(R"({"api": "cassandra"})")));
  EXPECT_EQ(ks(), nullptr);
  EXPECT_TRUE(schema()->RequireKeyspace("ks").error().message.contains("keyspace 'ks'"));
  Run("DROP KEYSPACE ks");
  EXPECT_TRUE(schema()->damaged.empty());
}

TEST_F(Cache, VirtualKeyspacesAreAlwaysThere) {
  auto system = std::make_shared<Keyspace>();
  system->name = "system";
  system->is_virtual = true;
  virtual_keyspaces = {system};
  Restart();
  EXPECT_EQ(schema()->FindKeyspace("system"), system);
  EXPECT_EQ(Refused("CREATE TABLE system.t (k int PRIMARY KEY)"),
            "System keyspace 'system' is not user-modifiable");
}

}  // namespace
}  // namespace orrery::cassandra
