#include "api/cassandra/system/core/core_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using Texts = std::vector<std::string>;

constexpr char kHostId[] = "11111111-1111-1111-1111-111111111111";
constexpr char kVersion[] = "22222222-2222-2222-2222-222222222222";

TEST(LocalTest, SaysWhatDriversNeedToConnect) {
  const SystemTables tables;
  const auto rows = tables.Read("system", "local", {{"local"}});
  ASSERT_EQ(rows.size(), 1U);
  const TextRow& local = rows[0];
  EXPECT_EQ(local.at("key"), "'local'");
  EXPECT_EQ(local.at("bootstrapped"), "'COMPLETED'");
  EXPECT_EQ(local.at("cluster_name"), "'orrery'");
  EXPECT_EQ(local.at("cql_version"), "'3.4.6'");
  EXPECT_EQ(local.at("data_center"), "'datacenter1'");
  EXPECT_EQ(local.at("rack"), "'rack1'");
  EXPECT_EQ(local.at("release_version"), "'4.1.7'");
  EXPECT_EQ(local.at("native_protocol_version"), "'5'");
  EXPECT_EQ(local.at("partitioner"), "'org.apache.cassandra.dht.Murmur3Partitioner'");
  EXPECT_EQ(local.at("host_id"), kHostId);
  EXPECT_EQ(local.at("schema_version"), kVersion);
  EXPECT_EQ(local.at("rpc_address"), "'127.0.0.1'");
  EXPECT_EQ(local.at("rpc_port"), "9042");
  EXPECT_EQ(local.at("listen_port"), "7000");
  EXPECT_EQ(local.at("gossip_generation"), "1700000000");
  EXPECT_EQ(local.at("tokens"), "{'-9223372036854775808'}");
  EXPECT_EQ(local.at("truncated_at"), "null");
}

TEST(PeersTest, NobodyElseIsThereWhenAlone) {
  const SystemTables tables;
  EXPECT_TRUE(tables.Read("system", "peers").empty());
  EXPECT_TRUE(tables.Read("system", "peers_v2").empty());
}

TEST(PeersTest, PeersHaveTheSameSchema) {
  class Two final : public PeerLister {
    std::set<std::string> OwnTokens() const override { return {"3"}; }
    std::vector<NodeFacts> Peers() const override {
      NodeFacts peer = SomeFacts().self;
      peer.tokens = {"0", "5"};
      peer.native.port = 9043;
      return {peer};
    }
  };
  const Two peers;
  SystemFacts facts = SomeFacts();
  facts.peers = &peers;
  const SystemTables tables(facts);

  EXPECT_EQ(tables.Read("system", "local").at(0).at("tokens"), "{'3'}");
  const auto old = tables.Read("system", "peers");
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(old[0].at("rpc_address"), "'127.0.0.1'");
  EXPECT_EQ(old[0].at("schema_version"), kVersion);
  EXPECT_EQ(old[0].at("tokens"), "{'0', '5'}");
  const auto newer = tables.Read("system", "peers_v2");
  ASSERT_EQ(newer.size(), 1U);
  EXPECT_EQ(newer[0].at("peer_port"), "7000");
  EXPECT_EQ(newer[0].at("native_port"), "9043");
}

class EstimatesTest : public ::testing::Test, public SizeEstimates {
 protected:
  Result<std::vector<RangeEstimate>> Estimate(const gateway::ContainerRef&) const override {
    return ranges;
  }

  SystemTables Tables() {
    SystemFacts facts = SomeFacts();
    facts.sizes = this;
    SystemTables tables(facts);
    Table table = UserTable("ks", "t", {{"k", "int", ColumnKind::kPartitionKey}});
    table.container = std::make_shared<const gateway::ContainerEntry>();
    tables.Add(UserKeyspace("ks", {table}));
    return tables;
  }

  Result<std::vector<RangeEstimate>> ranges;
};

TEST_F(EstimatesTest, RangesCoverTheRingAsCassandraWritesIt) {
  ranges = {{INT64_MIN, -1, 1'000, 10}, {0, INT64_MAX, 0, 0}};
  const auto rows = Tables().Read("system", "size_estimates", {{"ks"}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("range_start"), "'-9223372036854775808'");
  EXPECT_EQ(rows[0].at("range_end"), "'-1'");
  EXPECT_EQ(rows[0].at("mean_partition_size"), "100");
  EXPECT_EQ(rows[0].at("partitions_count"), "10");
  EXPECT_EQ(rows[1].at("range_start"), "'-1'");
  EXPECT_EQ(rows[1].at("range_end"), "'-9223372036854775808'");
  EXPECT_EQ(rows[1].at("mean_partition_size"), "0");
}

TEST_F(EstimatesTest, PartitionsThatMeetWithinATokenAreOneRange) {
  ranges = {{INT64_MIN, 5, 100, 1}, {5, 5, 100, 1}, {5, INT64_MAX, 100, 1}};
  const auto rows = Tables().Read("system", "size_estimates");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("range_start"), rows[0].at("range_end"));
  EXPECT_EQ(rows[0].at("partitions_count"), "3");
}

TEST_F(EstimatesTest, TableEstimatesHaveBothTypesOfRange) {
  ranges = {{INT64_MIN, INT64_MAX, 8, 4}};
  const auto rows = Tables().Read("system", "table_estimates");
  EXPECT_EQ(Values(rows, "range_type"), (Texts{"'local_primary'", "'primary'"}));
  EXPECT_EQ(Values(rows, "mean_partition_size"), (Texts{"2", "2"}));
}

TEST_F(EstimatesTest, OtherKeyspacesAreNotAsked) {
  ranges = {{INT64_MIN, INT64_MAX, 8, 4}};
  EXPECT_TRUE(Tables().Read("system", "size_estimates", {{"other"}}).empty());
}

TEST_F(EstimatesTest, AnErrorIsTheStatements) {
  ranges = Fail(Code::kUnavailable, "the store is away");
  const SystemTables tables = Tables();
  const VirtualQuery query{tables.schema, tables.client, std::nullopt};
  EXPECT_FALSE(tables.Find("system", "size_estimates")->source->Rows(query).has_value());
}

TEST_F(EstimatesTest, ATableDroppedMeanwhileHasNoRanges) {
  ranges = Fail(Code::kNotFound, "no such container");
  EXPECT_TRUE(Tables().Read("system", "size_estimates").empty());
  EXPECT_TRUE(Tables().Read("system_views", "disk_usage").empty());
}

TEST(BuiltTest, OnlyIndexesThatHoldEveryRow) {
  SystemTables tables;
  Table table = UserTable("ks", "t", {{"k", "int", ColumnKind::kPartitionKey}, {"v", "int"}});
  table.indexes.resize(2);
  table.indexes[0].name = "done";
  table.indexes[0].built = true;
  table.indexes[1].name = "under_way";
  tables.Add(UserKeyspace("ks", {table}));
  const auto rows = tables.Read("system", "IndexInfo", {{"ks"}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("table_name"), "'ks'");
  EXPECT_EQ(rows[0].at("index_name"), "'done'");
}

TEST(BuiltTest, AViewIsBuiltOrUnderWay) {
  class Builds final : public ViewBuildLister {
    std::vector<ViewBuild> ViewBuildsInProgress() const override {
      return {{"ks", "young", INT64_MIN, INT64_MAX, 42, 7}};
    }
  };
  const Builds builds;
  SystemFacts facts = SomeFacts();
  facts.view_builds = &builds;
  SystemTables tables(facts);
  Table old = UserTable("ks", "old", {{"k", "int", ColumnKind::kPartitionKey}});
  old.view = ViewOf{"t", old.id, "k IS NOT NULL", true, /*built=*/true};
  Table young = old;
  young.name = "young";
  young.view->built = false;
  tables.Add(UserKeyspace("ks", {old, young}));

  EXPECT_EQ(Values(tables.Read("system", "built_views"), "view_name"), (Texts{"'old'"}));
  const auto building = tables.Read("system", "view_builds_in_progress");
  ASSERT_EQ(building.size(), 1U);
  EXPECT_EQ(building[0].at("view_name"), "'young'");
  EXPECT_EQ(building[0].at("last_token"), "'42'");
  const auto status = tables.Read("system_distributed", "view_build_status");
  EXPECT_EQ(RowWith(status, "view_name", "'old'").at("status"), "'SUCCESS'");
  EXPECT_EQ(RowWith(status, "view_name", "'young'").at("status"), "'STARTED'");
}

TEST(PreparedStatementsTest, WithAndWithoutAKeyspace) {
  class Two final : public PreparedLister {
    std::vector<PreparedFacts> PreparedStatements() const override {
      return {{"\x01", "ks", "SELECT v FROM t"}, {"\x02", "", "SELECT v FROM ks.t"}};
    }
  };
  const Two prepared;
  SystemFacts facts = SomeFacts();
  facts.prepared = &prepared;
  const SystemTables tables(facts);
  const auto rows = tables.Read("system", "prepared_statements");
  EXPECT_EQ(Values(rows, "logged_keyspace"), (Texts{"'ks'", "null"}));
  EXPECT_EQ(tables.Read("system", "prepared_statements", {{"\x02"}}).size(), 1U);
}

}  // namespace
}  // namespace orrery::cassandra
