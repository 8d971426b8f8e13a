#include "api/cassandra/system/views/views_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"

namespace orrery::cassandra {
namespace {

using namespace testing;

TEST(ViewsKeyspaceTest, Clients) {
  class One final : public ClientLister {
    std::vector<ClientFacts> ConnectedClients() const override {
      ClientFacts client;
      client.address = Loopback(40'000);
      client.user = "ada";
      client.stage = ClientFacts::Stage::kReady;
      client.protocol_version = 4;
      client.options = {{"CQL_VERSION", "3.0.0"}, {"DRIVER_NAME", "a driver"}};
      client.requests = 12;
      client.tls_protocol = "TLSv1.3";
      return {client};
    }
  };
  const One clients;
  SystemFacts facts = SomeFacts();
  facts.clients = &clients;
  const auto rows = SystemTables(facts).Read("system_views", "clients");
  ASSERT_EQ(rows.size(), 1U);
  const TextRow& client = rows[0];
  EXPECT_EQ(client.at("address"), "'127.0.0.1'");
  EXPECT_EQ(client.at("port"), "40000");
  EXPECT_EQ(client.at("username"), "'ada'");
  EXPECT_EQ(client.at("connection_stage"), "'ready'");
  EXPECT_EQ(client.at("client_options"), "{'CQL_VERSION': '3.0.0', 'DRIVER_NAME': 'a driver'}");
  EXPECT_EQ(client.at("driver_name"), "'a driver'");
  EXPECT_EQ(client.at("driver_version"), "null");
  EXPECT_EQ(client.at("request_count"), "12");
  EXPECT_EQ(client.at("ssl_enabled"), "true");
  EXPECT_EQ(client.at("ssl_cipher_suite"), "null");
}

TEST(ViewsKeyspaceTest, SettingsByName) {
  SystemFacts facts = SomeFacts();
  facts.settings = {{"cassandra-port", "9042"}, {"data", "orrery-data"}};
  const SystemTables tables(facts);
  EXPECT_EQ(tables.Read("system_views", "settings").size(), 2U);
  const auto rows = tables.Read("system_views", "settings", {{"data"}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("value"), "'orrery-data'");
}

class Monitor final : public NodeMonitor {
 public:
  std::vector<ThreadPoolFacts> ThreadPools() const override {
    return {{"io", std::nullopt, 4, 2, 100, std::nullopt}};
  }
  std::vector<CacheFacts> Caches() const override {
    return {{"chunks", 1'000, 500, std::nullopt, 10, 4}, {"rows", 0, 0, 0, 0, 0}};
  }
  std::optional<StatementCounts> Statements() const override {
    return StatementCounts{5, 1, 30, 10};
  }
};

TEST(ViewsKeyspaceTest, WhatNobodyCountsIsNull) {
  const Monitor monitor;
  SystemFacts facts = SomeFacts();
  facts.monitor = &monitor;
  const SystemTables tables(facts);
  const auto pools = tables.Read("system_views", "thread_pools");
  ASSERT_EQ(pools.size(), 1U);
  EXPECT_EQ(pools[0].at("active_tasks"), "null");
  EXPECT_EQ(pools[0].at("active_tasks_limit"), "4");
  EXPECT_EQ(pools[0].at("pending_tasks"), "2");
  EXPECT_EQ(pools[0].at("completed_tasks"), "100");
  const auto caches = tables.Read("system_views", "caches");
  EXPECT_EQ(RowWith(caches, "name", "'chunks'").at("hit_ratio"), "0.4");
  EXPECT_EQ(RowWith(caches, "name", "'chunks'").at("entry_count"), "null");
  EXPECT_EQ(RowWith(caches, "name", "'rows'").at("hit_ratio"), "null");
}

TEST(ViewsKeyspaceTest, StatementCounts) {
  const Monitor monitor;
  SystemFacts facts = SomeFacts();
  facts.monitor = &monitor;
  const auto rows = SystemTables(facts).Read("system_views", "cql_metrics");
  EXPECT_EQ(RowWith(rows, "name", "'prepared_statements_count'").at("value"), "5.0");
  EXPECT_EQ(RowWith(rows, "name", "'prepared_statements_ratio'").at("value"), "0.75");
}

TEST(ViewsKeyspaceTest, DiskUsageIsRoundedUp) {
  class Sizes final : public SizeEstimates {
    Result<std::vector<RangeEstimate>> Estimate(const gateway::ContainerRef&) const override {
      return std::vector<RangeEstimate>{{INT64_MIN, 0, 1 << 20, 1}, {1, INT64_MAX, 1, 1}};
    }
  };
  const Sizes sizes;
  SystemFacts facts = SomeFacts();
  facts.sizes = &sizes;
  SystemTables tables(facts);
  Table table = UserTable("ks", "t", {{"k", "int", ColumnKind::kPartitionKey}});
  table.container = std::make_shared<const gateway::ContainerEntry>();
  tables.Add(UserKeyspace("ks", {table}));
  const auto rows = tables.Read("system_views", "disk_usage");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("mebibytes"), "2");
}

}  // namespace
}  // namespace orrery::cassandra
