#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Keyspaces : public SchemaFixture {};

const char kSimple[] = "{'class': 'SimpleStrategy', 'replication_factor': 3}";

TEST_F(Keyspaces, AreMadeChangedAndDropped) {
  const auto made = Run(fmt::format("CREATE KEYSPACE a WITH replication = {}", kSimple));
  EXPECT_EQ(made.change->kind, SchemaChangeKind::kCreated);
  EXPECT_EQ(made.change->target, SchemaTarget::kKeyspace);
  EXPECT_EQ(made.change->keyspace, "a");
  KeyspacePtr a = schema()->FindKeyspace("a");
  EXPECT_EQ(a->replication, (OptionMap{{"class", "org.apache.cassandra.locator.SimpleStrategy"},
                                       {"replication_factor", "3"}}));
  EXPECT_TRUE(a->durable_writes);

  const auto changed =
      Run("ALTER KEYSPACE a WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2} "
          "AND durable_writes = false");
  EXPECT_EQ(changed.change->kind, SchemaChangeKind::kUpdated);
  a = schema()->FindKeyspace("a");
  EXPECT_EQ(
      a->replication,
      (OptionMap{{"class", "org.apache.cassandra.locator.NetworkTopologyStrategy"}, {"dc1", "2"}}));
  EXPECT_FALSE(a->durable_writes);
  Restart();
  EXPECT_EQ(schema()->FindKeyspace("a")->replication, a->replication);

  Run("CREATE TABLE a.t (k int PRIMARY KEY)");
  EXPECT_EQ(Run("DROP KEYSPACE a").change->kind, SchemaChangeKind::kDropped);
  EXPECT_EQ(schema()->FindKeyspace("a"), nullptr);
  EXPECT_FALSE(server.catalog->FindDatabase("a").has_value());
}

TEST_F(Keyspaces, ExistOrDoNot) {
  EXPECT_EQ(Refused(fmt::format("CREATE KEYSPACE ks WITH replication = {}", kSimple)),
            "exists: Cannot add existing keyspace \"ks\"");
  EXPECT_TRUE(
      IsNothing(fmt::format("CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {}", kSimple)));
  EXPECT_EQ(Refused("ALTER KEYSPACE no WITH durable_writes = true"), "Keyspace 'no' doesn't exist");
  EXPECT_TRUE(IsNothing("ALTER KEYSPACE IF EXISTS no WITH durable_writes = true"));
  EXPECT_EQ(Refused("DROP KEYSPACE no"), "Keyspace 'no' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP KEYSPACE IF EXISTS no"));
}

TEST_F(Keyspaces, OptionsAreChecked) {
  const auto refused = [&](std::string_view options) {
    return Refused(fmt::format("CREATE KEYSPACE b WITH {}", options));
  };
  EXPECT_EQ(refused("durable_writes = true"), "Missing mandatory option 'replication'");
  EXPECT_EQ(refused("nonsense = 1"), "syntax: Unknown property 'nonsense'");
  EXPECT_EQ(refused("replication = 'x'"),
            "syntax: Invalid value for property 'replication'. It should be a map.");
  EXPECT_EQ(refused("replication = {'replication_factor': 1}"),
            "config: Missing replication strategy class");
  EXPECT_EQ(refused("replication = {}"), "config: Missing replication strategy class");
  EXPECT_EQ(refused("replication = {'class': 'Elsewhere'}"),
            "config: Unable to find replication strategy class "
            "'org.apache.cassandra.locator.Elsewhere'");
  EXPECT_EQ(refused("replication = {'class': 'LocalStrategy'}"),
            "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
  EXPECT_EQ(refused("replication = {'class': 'SimpleStrategy', 'replication_factor': 'x'}"),
            "config: For input string: \"x\"");
  EXPECT_EQ(refused("replication = {'class': 'SimpleStrategy', 'replication_factor': -1}"),
            "config: Replication factor must be non-negative, found -1");
  EXPECT_EQ(refused("replication = {'class': 'SimpleStrategy', 'dc1': 1}"),
            "config: Unrecognized strategy option {dc1} passed to SimpleStrategy for keyspace b");
  EXPECT_EQ(refused("replication = {'class': 'NetworkTopologyStrategy', 'dc1': 0}"),
            "config: Configuration for at least one datacenter must be present");
  EXPECT_EQ(
      refused(fmt::format("replication = {} AND durable_writes = 'maybe'", kSimple)).substr(0, 44),
      "syntax: Invalid boolean value maybe for 'dur");
  EXPECT_EQ(Refused(fmt::format("CREATE KEYSPACE \"{}\" WITH replication = {}",
                                std::string(49, 'a'), kSimple))
                .substr(0, 52),
            "Keyspace name must not be empty, more than 48 charac");
  EXPECT_TRUE(Refused(fmt::format("CREATE KEYSPACE \"a-b\" WITH replication = {}", kSimple))
                  .ends_with("(got 'a-b')"));
  EXPECT_EQ(Refused("DROP KEYSPACE system_auth"),
            "System keyspace 'system_auth' is not user-modifiable");
}

TEST_F(Keyspaces, AFactorAloneIsThatOfTheDatacenter) {
  Run("CREATE KEYSPACE b WITH replication = {'class': 'NetworkTopologyStrategy', "
      "'replication_factor': 3}");
  EXPECT_EQ(schema()->FindKeyspace("b")->replication.at("datacenter1"), "3");
  EXPECT_FALSE(schema()->FindKeyspace("b")->replication.contains("replication_factor"));
}

TEST_F(Keyspaces, ShareThroughput) {
  Run(
      fmt::format("CREATE KEYSPACE b WITH replication = {} AND "
                  "cosmosdb_provisioned_throughput = 400",
                  kSimple));
  EXPECT_EQ(server.catalog->FindDatabase("b")->throughput,
            partition::ThroughputSettings::Manual(400));
  Run("ALTER KEYSPACE b WITH cosmosdb_autoscale_max_throughput = 4000");
  EXPECT_EQ(server.catalog->FindDatabase("b")->throughput,
            partition::ThroughputSettings::Autoscale(4000));

  const PayloadEntry payload{"cosmosdb_provisioned_throughput", "500"};
  Run(fmt::format("CREATE KEYSPACE c WITH replication = {}", kSimple), {&payload, 1});
  EXPECT_EQ(server.catalog->FindDatabase("c")->throughput,
            partition::ThroughputSettings::Manual(500));
  EXPECT_TRUE(Refused(fmt::format("CREATE KEYSPACE d WITH replication = {} AND "
                                  "cosmosdb_provisioned_throughput = 400 AND "
                                  "cosmosdb_autoscale_max_throughput = 4000",
                                  kSimple))
                  .contains("cannot both be set"));
  EXPECT_TRUE(Refused("ALTER KEYSPACE ks WITH cosmosdb_provisioned_throughput = 400")
                  .contains("without throughput"));
}

}  // namespace
}  // namespace orrery::cassandra
