#include "api/cassandra/system/system_keyspaces.h"

#include <gtest/gtest.h>

#include <set>

#include "api/cassandra/system/system_testing.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

Names TableNames(const SystemTables& tables, std::string_view keyspace) {
  Names names;
  for (const auto& [name, table] : tables.schema.keyspaces.find(keyspace)->second->tables)
    names.push_back(name);
  return names;
}

// A server that tells something in every table that can tell something.
class Everything final : public PeerLister,
                         public SizeEstimates,
                         public ViewBuildLister,
                         public PreparedLister,
                         public RoleReader,
                         public ClientLister,
                         public NodeMonitor {
 public:
  Everything() {
    traces_.Begin(Uuid{1}, "QUERY", "Execute CQL3 query", {{"query", "SELECT"}}, {});
    traces_.Event(Uuid{1}, "read", Micros(5));
    traces_.End(Uuid{1}, Micros(9));
  }

  SystemFacts Facts() const {
    SystemFacts facts = SomeFacts();
    facts.settings = {{"cassandra-port", "9042"}};
    facts.peers = this;
    facts.sizes = this;
    facts.view_builds = this;
    facts.prepared = this;
    facts.traces = &traces_;
    facts.roles = this;
    facts.clients = this;
    facts.monitor = this;
    return facts;
  }

  std::set<std::string> OwnTokens() const override { return {kLowestToken}; }
  std::vector<NodeFacts> Peers() const override { return {SomeFacts().self}; }
  Result<std::vector<RangeEstimate>> Estimate(const gateway::ContainerRef&) const override {
    return std::vector<RangeEstimate>{{INT64_MIN, INT64_MAX, 10, 2}};
  }
  std::vector<ViewBuild> ViewBuildsInProgress() const override {
    return {{"ks", "unfinished", -5, 5, 0, 7}};
  }
  std::vector<PreparedFacts> PreparedStatements() const override {
    return {{std::string(16, 'p'), "ks", "SELECT v FROM t"}};
  }
  CqlResult<std::vector<RoleFacts>> Roles() const override {
    return std::vector<RoleFacts>{{"ada", true, true, "hash", {"admins"}, {{"dc1"}}}};
  }
  CqlResult<std::vector<PermissionFacts>> Permissions() const override {
    return std::vector<PermissionFacts>{{"ada", "data/ks", {"SELECT"}}};
  }
  std::vector<ClientFacts> ConnectedClients() const override {
    ClientFacts client;
    client.address = Loopback(40'000);
    return {client};
  }
  std::vector<ThreadPoolFacts> ThreadPools() const override {
    return {{"io", 1, 4, 0, 10, std::nullopt}};
  }
  std::vector<CacheFacts> Caches() const override {
    return {{"chunks", 100, 50, std::nullopt, 10, 5}};
  }
  std::optional<StatementCounts> Statements() const override { return StatementCounts{1, 0, 3, 1}; }

 private:
  ManualClock clock_;
  TraceStore traces_{clock_, 1};
};

TEST(SystemKeyspacesTest, EveryTableOfCassandraIsThere) {
  const SystemTables tables;
  EXPECT_EQ(TableNames(tables, "system"), (Names{"IndexInfo",
                                                 "available_ranges",
                                                 "available_ranges_v2",
                                                 "batches",
                                                 "built_views",
                                                 "compaction_history",
                                                 "local",
                                                 "paxos",
                                                 "paxos_repair_history",
                                                 "peer_events",
                                                 "peer_events_v2",
                                                 "peers",
                                                 "peers_v2",
                                                 "prepared_statements",
                                                 "repairs",
                                                 "size_estimates",
                                                 "sstable_activity",
                                                 "sstable_activity_v2",
                                                 "table_estimates",
                                                 "top_partitions",
                                                 "transferred_ranges",
                                                 "transferred_ranges_v2",
                                                 "view_builds_in_progress"}));
  EXPECT_EQ(TableNames(tables, "system_schema"),
            (Names{"aggregates", "columns", "dropped_columns", "functions", "indexes", "keyspaces",
                   "tables", "triggers", "types", "views"}));
  EXPECT_EQ(TableNames(tables, "system_auth"),
            (Names{"network_permissions", "resource_role_permissons_index", "role_members",
                   "role_permissions", "roles"}));
  EXPECT_EQ(TableNames(tables, "system_traces"), (Names{"events", "sessions"}));
  EXPECT_EQ(TableNames(tables, "system_distributed"),
            (Names{"parent_repair_history", "partition_denylist", "repair_history",
                   "view_build_status"}));
  EXPECT_EQ(TableNames(tables, "system_virtual_schema"), (Names{"columns", "keyspaces", "tables"}));
  EXPECT_EQ(TableNames(tables, "system_views"), (Names{"batch_metrics",
                                                       "caches",
                                                       "clients",
                                                       "coordinator_read_latency",
                                                       "coordinator_scan_latency",
                                                       "coordinator_write_latency",
                                                       "cql_metrics",
                                                       "credentials_cache_keys",
                                                       "disk_usage",
                                                       "gossip_info",
                                                       "internode_inbound",
                                                       "internode_outbound",
                                                       "jmx_permissions_cache_keys",
                                                       "local_read_latency",
                                                       "local_scan_latency",
                                                       "local_write_latency",
                                                       "max_partition_size",
                                                       "network_permissions_cache_keys",
                                                       "pending_hints",
                                                       "permissions_cache_keys",
                                                       "queries",
                                                       "repair_jobs",
                                                       "repair_participates",
                                                       "repair_sessions",
                                                       "repair_validations",
                                                       "repairs",
                                                       "roles_cache_keys",
                                                       "rows_per_read",
                                                       "settings",
                                                       "sstable_tasks",
                                                       "streaming",
                                                       "system_properties",
                                                       "thread_pools",
                                                       "tombstones_per_read"}));
}

TEST(SystemKeyspacesTest, OnlyTwoKeyspacesAreVirtualToClients) {
  for (const KeyspacePtr& keyspace : MakeSystemKeyspaces(SomeFacts())) {
    const bool expected =
        keyspace->name == "system_views" || keyspace->name == "system_virtual_schema";
    EXPECT_EQ(keyspace->is_virtual, expected) << keyspace->name;
  }
}

TEST(SystemKeyspacesTest, EveryRowOfEveryTableIsValidAndHasItsOwnKey) {
  const Everything server;
  SystemTables tables(server.Facts());
  Table base = UserTable("ks", "t", {{"k", "int", ColumnKind::kPartitionKey}, {"v", "int"}});
  base.container = std::make_shared<const gateway::ContainerEntry>();
  Table view = base;
  view.name = "by_v";
  view.view = ViewOf{"t", base.id, "v IS NOT NULL", true, /*built=*/true};
  tables.Add(UserKeyspace("ks", {base, view}));

  Names with_rows;
  for (const auto& [keyspace_name, keyspace] : tables.schema.keyspaces) {
    if (keyspace_name == "ks") continue;
    for (const auto& [name, table] : keyspace->tables) {
      const std::vector<TextRow> rows = tables.Read(keyspace_name, name);
      std::set<Names> keys;
      for (const TextRow& row : rows) {
        Names key;
        for (const Column& column : table->columns) {
          if (column.is_key()) key.push_back(row.at(column.name));
        }
        EXPECT_TRUE(keys.insert(key).second) << keyspace_name << "." << name;
      }
      if (!rows.empty()) with_rows.push_back(keyspace_name + "." + name);
    }
  }
  // All that can have rows, but those of indexes, types and the like, which "ks" does not have.
  EXPECT_EQ(with_rows, (Names{"system.built_views",
                              "system.local",
                              "system.peers",
                              "system.peers_v2",
                              "system.prepared_statements",
                              "system.size_estimates",
                              "system.table_estimates",
                              "system.view_builds_in_progress",
                              "system_auth.network_permissions",
                              "system_auth.resource_role_permissons_index",
                              "system_auth.role_members",
                              "system_auth.role_permissions",
                              "system_auth.roles",
                              "system_distributed.view_build_status",
                              "system_schema.columns",
                              "system_schema.keyspaces",
                              "system_schema.tables",
                              "system_schema.views",
                              "system_traces.events",
                              "system_traces.sessions",
                              "system_views.caches",
                              "system_views.clients",
                              "system_views.cql_metrics",
                              "system_views.disk_usage",
                              "system_views.settings",
                              "system_views.thread_pools",
                              "system_virtual_schema.columns",
                              "system_virtual_schema.keyspaces",
                              "system_virtual_schema.tables"}));
}

TEST(SystemKeyspacesTest, WithoutListersTablesAreEmptyRatherThanAbsent) {
  const SystemTables tables;
  for (const auto& [name, keyspace] : tables.schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) tables.Read(name, table_name);
  }
  EXPECT_TRUE(tables.Read("system_auth", "roles").empty());
  EXPECT_TRUE(tables.Read("system_traces", "sessions").empty());
  EXPECT_TRUE(tables.Read("system_views", "clients").empty());
}

TEST(SystemKeyspacesTest, TableIdsAreCassandrasOwn) {
  const SystemTables tables;
  EXPECT_EQ(UuidText(tables.Find("system", "local")->id), "7ad54392-bcdd-35a6-8417-4e047860b377");
  EXPECT_EQ(UuidText(tables.Find("system", "peers")->id), "37f71aca-7dc2-383b-a706-72528af04d4f");
  EXPECT_EQ(UuidText(tables.Find("system_schema", "keyspaces")->id),
            "abac5682-dea6-31c5-b535-b3d6cffd0fb6");
}

}  // namespace
}  // namespace orrery::cassandra
