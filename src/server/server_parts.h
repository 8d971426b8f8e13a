// ServerParts is the object graph of a server: every part of it, in the order of their making. They
// are destroyed in the reverse order.
//
// Filled by Server::Start and by the functions of server/start, from one thread; is_started tells
// other threads that all of it is there.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "api/cassandra/service/cassandra_api.h"
#include "api/gremlin/server/gremlin_api.h"
#include "api/mongo/server/mongo_api.h"
#include "api/sql/direct/server/direct_server.h"
#include "api/sql/query/computed/computed_index.h"
#include "api/sql/service/sql_service.h"
#include "api/table/service/table_service.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "cli/settings/server_settings.h"
#include "cluster/member/steered_clock.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/history/partition_monitor.h"
#include "gateway/history/topology_changes.h"
#include "gateway/view/inspection.h"
#include "gateway/view/key_naming.h"
#include "gateway/view/ring_view.h"
#include "net/client_budget.h"
#include "net/event_loops.h"
#include "net/http/http_server.h"
#include "net/tls/tls_identity.h"
#include "portal/portal.h"
#include "script/engine.h"
#include "server/cluster_member.h"
#include "server/data_directory.h"
#include "server/loop_lag.h"
#include "server/state/advanced_clock.h"
#include "server/state/data_states.h"
#include "server/throwaway_directory.h"
#include "server/ticker.h"
#include "storage/ballast.h"
#include "storage/resources.h"

namespace orrery::server {

struct ServerParts {
  ServerParts(const cli::ServerSettings& settings, gateway::Accounts granted,
              const Clock& machine_clock);
  ~ServerParts() { Stop(); }

  // Also of a server that was only half started. Idempotent.
  void Stop();

  const Clock& machine;
  AdvancedClock test_clock;     // the machine's, unless tests advance it
  cluster::SteeredClock clock;  // that, without a cluster
  MetricsRegistry metrics;
  const gateway::Accounts accounts;
  std::unique_ptr<ThrowawayDirectory> throwaway;  // null: the data is kept
  std::unique_ptr<DataDirectory> data;
  std::unique_ptr<storage::Ballast> ballast;  // null: the data is not kept, or not here
  std::unique_ptr<net::EventLoops> loops;
  const std::shared_ptr<net::ClientBudget> clients;
  std::unique_ptr<ClusterMember> member;  // null on a single machine
  std::unique_ptr<storage::EngineResources> resources;
  ThreadPool commit_pool;
  ThreadPool io_pool;
  const sql::SqlComputedMaker computed;
  gateway::ProgramRegistry programs;
  gateway::TopologyChanges topology_changes;
  gateway::KeyNamings key_names;
  query::QueryRunners runners;
  gateway::History history;
  std::unique_ptr<gateway::Core> core;
  std::unique_ptr<gateway::RingView> ring;  // null on a single machine
  std::unique_ptr<gateway::Inspection> inspection;
  std::unique_ptr<gateway::EventLog> events;
  std::unique_ptr<gateway::PartitionMonitor> monitor;
  std::unique_ptr<DataStates> states;          // null without --allow-reset
  std::unique_ptr<gateway::FaultPlan> faults;  // null without --allow-faults
  std::unique_ptr<portal::Portal> portal;
  std::shared_ptr<script::Engine> scripts;
  std::unique_ptr<sql::SqlService> sql;
  std::unique_ptr<net::TlsIdentity> tls;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<sql::DirectServer> sql_direct;  // null: closed
  std::optional<gateway::Accounts> emulator;      // none where only keys let clients in
  std::unique_ptr<table::TableService> table;
  std::unique_ptr<net::HttpServer> table_cosmos;   // null: closed
  std::unique_ptr<net::HttpServer> table_storage;  // null: closed
  std::unique_ptr<cassandra::CassandraApi> cassandra;
  std::unique_ptr<mongo::MongoApi> mongo;        // null: closed
  std::unique_ptr<gremlin::GremlinApi> gremlin;  // null: closed
  std::unique_ptr<net::HttpServer> health;       // null: closed
  std::unique_ptr<LoopLag> loop_lag;
  std::atomic<bool> is_started{false};  // everything below the portal may be looked at
  std::optional<Ticker> maintenance;
  std::optional<Ticker> sampling;
  std::optional<Ticker> cluster_news;
  MetricsRegistry::Registration process_metrics;
  MetricsRegistry::Registration partition_metrics;
  MetricsRegistry::Registration work_metrics;
};

}  // namespace orrery::server
