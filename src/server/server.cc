#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "api/cassandra/service/cassandra_api.h"
#include "api/gremlin/server/gremlin_api.h"
#include "api/mongo/server/mongo_api.h"
#include "api/sql/direct/server/direct_server.h"
#include "api/sql/handler/document/conditional_patch.h"
#include "api/sql/query/computed/computed_index.h"
#include "api/sql/service/sql_service.h"
#include "api/table/executor/change_program.h"
#include "api/table/service/table_service.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "cli/verb/version.h"
#include "cluster/member/steered_clock.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
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
#include "server/endpoints.h"
#include "server/loop_lag.h"
#include "server/process_metrics.h"
#include "server/random_bits.h"
#include "server/request_classifier.h"
#include "server/seeding.h"
#include "server/server_process.h"
#include "server/staged_data.h"
#include "server/state/advanced_clock.h"
#include "server/state/data_states.h"
#include "server/throwaway_directory.h"
#include "server/ticker.h"
#include "storage/resources.h"

namespace orrery::server {
namespace {

constexpr size_t kCommitThreads =
    2;  // each sequencer uses one at a time, mostly waiting for the disk
constexpr size_t kCommitQueueMax = 1 << 17;  // one entry per partition at most
constexpr size_t kIoQueueMax = 4'096;
// Threads that take the places of those with long queries and scripts.
constexpr size_t kIoStandInsMax = 64;
constexpr size_t kEventLoopsMax = 8;
constexpr size_t kBodyBytesMax = 4 << 20;
// The service itself refuses what is past 4 MB, in its own words.
constexpr size_t kTableBodyBytesMax = 8 << 20;
// For one HTTP request; clients of the SQL API give up after 65 s at most.
constexpr std::chrono::milliseconds kRequestTimeout{120'000};
constexpr std::chrono::milliseconds kMaintenancePause{1'000};
constexpr std::chrono::milliseconds kSamplingPause{1'000};
constexpr std::chrono::milliseconds kClusterNewsPause{500};
// For the requests of all listeners together; serve.cc ends the process soon after.
constexpr std::chrono::milliseconds kDrainGrace{6'000};

Result<std::unique_ptr<net::TlsIdentity>> MakeTls(const cli::ServerSettings& settings,
                                                  const DataDirectory& data, const Clock& clock) {
  switch (settings.tls.mode) {
    case cli::TlsSettings::Mode::kOff:
      return nullptr;
    case cli::TlsSettings::Mode::kFiles:
      return net::TlsIdentity::Load(settings.tls.certificate_file, settings.tls.key_file);
    case cli::TlsSettings::Mode::kAuto:
      break;
  }
  // Clients come by these names beside those that every certificate has.
  std::vector<std::string> names;
  for (const std::string& name : {settings.listen_address, settings.advertise}) {
    const bool everywhere = name == "0.0.0.0" || name == "::";
    const bool usual = name == "localhost" || name == "127.0.0.1" || name == "::1";
    if (!name.empty() && !everywhere && !usual) names.push_back(name);
  }
  return net::TlsIdentity::LoadOrCreate(data.tls_path(), names, clock);
}

// A third of the files is for connections (net::ClientLimits), a half for partitions, and the rest
// for everything else: recovery, merges of tables, health checks.
constexpr size_t kFilesOfPartition = 8;  // six when it is idle, and tables
constexpr size_t kPartitionsMin = 8;
constexpr size_t kTableFilesMin = 32;
constexpr size_t kTableFilesMax = 512;
// Connections for health checks and administrators when all others are taken.
constexpr size_t kConnectionsReserve = 32;

size_t PartitionsFor(size_t files_max) {
  return std::max(files_max / 2 / kFilesOfPartition, kPartitionsMin);
}

storage::ResourceOptions ResourcesFor(const cli::ServerSettings& settings, ClusterMember* member) {
  storage::ResourceOptions options{.block_cache_bytes = settings.cache_bytes,
                                   .memtable_bytes_max = settings.memtable_bytes};
  options.open_files_max =
      static_cast<int>(std::clamp(OpenFilesMax() / 64, kTableFilesMin, kTableFilesMax));
  if (member == nullptr) return options;
  options.recycled_log_bytes_min = UINT64_MAX;  // objects are not faster when they are written over
  options.file_system = member->files()->AsFileSystem();
  options.directory_owner = member->files();
  return options;
}

// REQUIRES: the settings have a port.
Result<std::unique_ptr<sql::DirectServer>> StartDirect(const cli::ServerSettings& settings,
                                                       net::EventLoops& loops,
                                                       std::shared_ptr<net::ClientBudget> clients,
                                                       const sql::DirectServer::Parts& parts) {
  sql::DirectServerOptions options;
  options.require_tls = !cli::IsLoopback(settings.listen_address) && !settings.allow_insecure;
  options.version = cli::Version();
  options.listener.address = settings.listen_address;
  options.listener.port = *settings.sql_direct_port.port;
  options.listener.clients = std::move(clients);
  auto server = sql::DirectServer::Start(loops, options, parts);
  const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
  if (!taken || !settings.sql_direct_port.or_free) return server;
  options.listener.port = 0;
  return sql::DirectServer::Start(loops, options, parts);
}

// The names that clients may use while others could guess how to get in.
net::HostRule HostRuleOf(const cli::ServerSettings& settings) {
  const bool is_open = settings.keys.primary == gateway::kWellKnownKey ||
                       cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  if (!is_open) return {};
  std::vector<std::string> names = settings.allowed_hosts;
  if (!settings.advertise.empty()) names.push_back(settings.advertise);
  if (const size_t scheme = settings.explorer_origin.find("://"); scheme != std::string::npos)
    names.emplace_back(net::HostOf(std::string_view(settings.explorer_origin).substr(scheme + 3)));
  return net::HostRule(std::move(names));
}

// Says whether the account with Azurite's published key is there beside the server's own.
bool HasStorageEmulator(const cli::ServerSettings& settings) {
  return cli::IsLoopback(settings.listen_address) || cli::IsOpenToAll(settings);
}

// One port of the Table API. REQUIRES: the settings have it.
struct TablePort {
  std::string_view name;
  uint16_t port = 0;
  table::Dialect dialect;
  std::shared_ptr<net::ClientBudget> clients;
};

Result<std::unique_ptr<net::HttpServer>> StartTable(const cli::ServerSettings& settings,
                                                    const TablePort& port,
                                                    table::TableService& service,
                                                    net::EventLoops& loops,
                                                    const net::TlsIdentity* tls, const Clock& clock,
                                                    MetricsRegistry& metrics) {
  net::HttpServerOptions options;
  options.listener.name = port.name;
  options.listener.address = settings.listen_address;
  options.listener.port = port.port;
  options.listener.port_option = "--table-port";
  options.listener.clients = port.clients;
  options.limits.body_bytes_max = kTableBodyBytesMax;
  options.host_rule = HostRuleOf(settings);
  options.request_timeout = kRequestTimeout;
  options.admission = [&service, dialect = port.dialect](const net::HttpRequest& head) {
    return service.Refusal(head, dialect);
  };
  const auto start = [&] {
    return net::HttpServer::Start(loops, options, tls, clock, metrics,
                                  [&service, dialect = port.dialect](auto request, auto responder) {
                                    service.Handle(std::move(request), std::move(responder),
                                                   dialect);
                                  });
  };
  auto server = start();
  const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
  if (!taken || !settings.table.or_free) return server;
  options.listener.port = 0;
  return start();
}

// Writes go on from the newest stored one; what expires, and what people compare with their own
// clocks, goes by the machine's.
void WarnOfSlowClock(Micros newest, Micros now) {
  constexpr Micros kUnnoticed = std::chrono::seconds(1);
  if (newest <= now + kUnnoticed) return;
  LogWarn(
      "the machine's clock is {} s behind the newest stored change: was it set back? New writes "
      "get times after that change; times to live are counted by the machine's clock",
      std::chrono::duration_cast<std::chrono::seconds>(newest - now).count());
}

cassandra::CacheFacts BlockCacheFacts(const storage::EngineResources& resources) {
  cassandra::CacheFacts facts;
  facts.name = "chunks";
  facts.capacity_bytes = resources.block_cache_capacity();
  facts.used_bytes = resources.block_cache_used();
  return facts;
}

}  // namespace

// In the order of their making; destroyed in the reverse order.
struct Server::Parts {
  // Without a cluster the files are on this machine's disk.
  Parts(const cli::ServerSettings& settings, gateway::Accounts granted, const Clock& machine_clock)
      : machine(machine_clock),
        test_clock(machine_clock),
        clock(test_clock),
        accounts(std::move(granted)),
        loops(std::make_unique<net::EventLoops>(
            std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kEventLoopsMax))),
        clients(
            std::make_shared<net::ClientBudget>(net::ClientLimits::ForOpenFiles(OpenFilesMax()))),
        // Mutations that are submitted while others write are written together.
        commit_pool("commit", kCommitThreads, kCommitQueueMax, ThreadPriority::kPatient),
        io_pool("io", settings.io_threads, kIoQueueMax, ThreadPriority::kNormal, kIoStandInsMax),
        history(settings.history_bytes) {}
  ~Parts() { Stop(); }

  // Also of a server that was only half started. Idempotent.
  void Stop() {
    if (portal) portal->StartDraining();
    if (sampling) sampling->Stop();
    if (events) events->Stop();
    // While it still serves: then no request meets a partition that nobody has.
    if (member) member->HandOver();
    if (cluster_news) cluster_news->Stop();
    const auto end = std::chrono::steady_clock::now() + kDrainGrace;
    const auto grace = [end] {
      const auto left = end - std::chrono::steady_clock::now();
      return std::max(std::chrono::milliseconds(0),
                      std::chrono::duration_cast<std::chrono::milliseconds>(left));
    };
    if (http) http->Stop(grace());
    if (portal) portal->Stop();
    if (sql_direct) sql_direct->Stop(grace());
    if (table_cosmos) table_cosmos->Stop(grace());
    if (table_storage) table_storage->Stop(grace());
    if (sql) sql->Stop();
    if (cassandra) cassandra->Stop(grace());
    if (mongo) mongo->Stop(grace());
    if (gremlin) gremlin->Stop(grace());
    if (maintenance) maintenance->Stop();
    if (member) member->StopServing();
    io_pool.Stop();
    if (core) core->Stop();
    if (member) member->Stop();
    loops->Stop();
  }

  const Clock& machine;
  AdvancedClock test_clock;     // the machine's, unless tests advance it
  cluster::SteeredClock clock;  // that, without a cluster
  MetricsRegistry metrics;
  const gateway::Accounts accounts;
  std::unique_ptr<ThrowawayDirectory> throwaway;  // null: the data is kept
  std::unique_ptr<DataDirectory> data;
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
  std::unique_ptr<DataStates> states;  // null without --allow-reset
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
  std::unique_ptr<LoopLag> loop_lag;
  std::atomic<bool> is_started{false};  // everything below the portal may be looked at
  std::optional<Ticker> maintenance;
  std::optional<Ticker> sampling;
  std::optional<Ticker> cluster_news;
  MetricsRegistry::Registration process_metrics;
  MetricsRegistry::Registration partition_metrics;
  MetricsRegistry::Registration work_metrics;
};

portal::ConnectReport Server::DescribeConnections(const cli::ServerSettings& settings,
                                                  const Parts& parts, const std::string& host,
                                                  bool with_key) {
  Endpoints endpoints;
  endpoints.host = host;
  endpoints.has_tls = parts.tls != nullptr;
  endpoints.only_tls =
      endpoints.has_tls && !cli::IsLoopback(settings.listen_address) && !settings.allow_insecure;
  endpoints.trusts_local = cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  endpoints.account = settings.keys.account;
  endpoints.key = with_key ? settings.keys.primary : "ACCOUNT-KEY";
  endpoints.datacenter = settings.cassandra_cluster.datacenter;
  const auto port_of = [](const auto& server) -> uint16_t {
    return server == nullptr ? 0 : server->port();
  };
  const auto cosmos_port_of = [](const auto& server) -> uint16_t {
    return server == nullptr ? 0 : server->cosmos_port();
  };
  // The SQL port may be answering while the others are still being opened.
  const bool is_started = parts.is_started.load();
  if (is_started) {
    endpoints.sql = port_of(parts.http);
    endpoints.sql_direct = port_of(parts.sql_direct);
    endpoints.cassandra = port_of(parts.cassandra);
    endpoints.cassandra_cosmos = cosmos_port_of(parts.cassandra);
    endpoints.table = port_of(parts.table_cosmos);
    endpoints.table_storage = port_of(parts.table_storage);
    endpoints.mongo = port_of(parts.mongo);
    endpoints.mongo_cosmos = cosmos_port_of(parts.mongo);
    endpoints.gremlin = port_of(parts.gremlin);
    endpoints.gremlin_cosmos = cosmos_port_of(parts.gremlin);
  }
  portal::ConnectReport report{.has_tls = endpoints.has_tls,
                               .only_tls = endpoints.only_tls,
                               .account = endpoints.account,
                               .key = endpoints.key,
                               .datacenter = endpoints.datacenter,
                               .ports = {},
                               .strings = {}};
  const std::pair<const char*, uint16_t> ports[] = {{"sql", endpoints.sql},
                                                    {"sqlDirect", endpoints.sql_direct},
                                                    {"cassandra", endpoints.cassandra},
                                                    {"cassandraCosmos", endpoints.cassandra_cosmos},
                                                    {"table", endpoints.table},
                                                    {"tableStorage", endpoints.table_storage},
                                                    {"mongo", endpoints.mongo},
                                                    {"mongoCosmos", endpoints.mongo_cosmos},
                                                    {"gremlin", endpoints.gremlin},
                                                    {"gremlinCosmos", endpoints.gremlin_cosmos}};
  for (const auto& [name, port] : ports)
    if (port != 0) report.ports.emplace_back(name, port);
  if (endpoints.sql != 0) report.strings.emplace_back("sql", endpoints.SqlConnectionString());
  if (endpoints.has_table())
    report.strings.emplace_back("table", endpoints.TableConnectionString());
  if (endpoints.has_mongo()) report.strings.emplace_back("mongo", endpoints.MongoUrl());
  if (endpoints.has_gremlin()) report.strings.emplace_back("gremlin", endpoints.GremlinUrl());
  return report;
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::Start(const cli::ServerSettings& settings,
                                              const Clock& machine_clock,
                                              std::shared_ptr<script::Engine> scripts) {
  ORRERY_TRY(cli::CheckStore(settings));
  if (scripts == nullptr) {
    ORRERY_ASSIGN(scripts, script::Engine::Start());
  }
  ORRERY_ASSIGN(gateway::Accounts accounts, gateway::Accounts::Create(settings.keys));
  std::unique_ptr<ThrowawayDirectory> throwaway;
  if (settings.data_directory == cli::kMemoryData) {
    ORRERY_ASSIGN(throwaway, ThrowawayDirectory::Make());
  }
  ORRERY_ASSIGN(auto data, DataDirectory::Open(throwaway == nullptr ? settings.data_directory
                                                                    : throwaway->path()));
  ORRERY_TRY(StagedData::Recover(data->path()));
  if (!settings.seed_directory.empty()) ORRERY_TRY(SeedData(settings, *data, scripts));
  auto parts = std::make_unique<Parts>(settings, std::move(accounts), machine_clock);
  const Clock& clock = parts->clock;
  parts->throwaway = std::move(throwaway);
  parts->data = std::move(data);
  ORRERY_ASSIGN(parts->tls, MakeTls(settings, *parts->data, clock));
  if (settings.store == cli::StoreKind::kRados) {
    ORRERY_ASSIGN(parts->member, ClusterMember::Take({.settings = settings,
                                                      .data = *parts->data,
                                                      .loops = *parts->loops,
                                                      .clock = parts->clock,
                                                      .metrics = parts->metrics}));
  }
  ClusterMember* const member = parts->member.get();
  parts->resources = std::make_unique<storage::EngineResources>(ResourcesFor(settings, member));
  if (member != nullptr) ORRERY_TRY(member->Join(*parts->resources));

  gateway::CoreOptions core{.directory = parts->data->path(),
                            .limits = settings.limits,
                            .partitions_max = PartitionsFor(OpenFilesMax()),
                            .burst = settings.burst,
                            .sequencer = {.durability = settings.durability},
                            .computed = &parts->computed};
  gateway::Core::Parts core_parts{.resources = *parts->resources,
                                  .commit_pool = parts->commit_pool,
                                  .io_pool = parts->io_pool,
                                  .accounts = parts->accounts,
                                  .clock = clock,
                                  .metrics = parts->metrics};
  if (member != nullptr) {
    core.directory = "";      // of the store
    core.partitions_max = 0;  // objects are no open files
    core.self = member->self();
    core.lease = &member->lease();
    core_parts.peers = &member->peers();
    core_parts.timers = &member->timers();
    core_parts.system = &member->system();
  }
  core.observer = &parts->topology_changes;
  sql::ConditionalPatch::Register(parts->programs, clock);
  table::ChangeProgram::Register(parts->programs);
  mongo::MongoApi::RegisterPrograms(parts->programs);
  core_parts.programs = &parts->programs;
  ORRERY_ASSIGN(parts->core, gateway::Core::Open(core, core_parts));
  WarnOfSlowClock(parts->core->gateway().times().Latest(), clock.Now());
  if (member != nullptr) {
    member->Serve(*parts->core);
    parts->ring =
        std::make_unique<gateway::RingView>(parts->core->catalog(), parts->core->node(), *member);
  }
  gateway::Gateway& gateway = parts->core->gateway();
  std::optional<gateway::Inspection::Cluster> cluster;
  if (member != nullptr) cluster.emplace(*member, member->peers());
  parts->inspection = std::make_unique<gateway::Inspection>(
      gateway, *parts->resources, clock, std::string(cli::Version()), cluster, &parts->key_names);
  parts->events = std::make_unique<gateway::EventLog>(parts->core->system());
  ORRERY_TRY(parts->events->Load());
  parts->monitor = std::make_unique<gateway::PartitionMonitor>(
      gateway::PartitionMonitor::Parts{.gateway = gateway,
                                       .clock = clock,
                                       .changes = parts->topology_changes,
                                       .history = parts->history,
                                       .events = *parts->events,
                                       .names = parts->key_names,
                                       .cluster = cluster});
  // Notes the state before the first request, so that all that follows is told as a change.
  if (member == nullptr) parts->monitor->Tick();
  const bool exposed = !cli::IsLoopback(settings.listen_address);
  const bool trust_local = cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  if (settings.allow_reset) {
    parts->states =
        std::make_unique<DataStates>(parts->data->path(), member != nullptr, parts->test_clock);
    parts->states->Connect(*parts->core);
  }
  parts->portal = std::make_unique<portal::Portal>(
      portal::PortalOptions{
          .door = {.trust_local = trust_local,
                   .require_tls = exposed && !settings.allow_insecure,
                   .only_loopback = !exposed,
                   .origin = settings.explorer_origin},
          .explorer = settings.explorer,
          .partition_bytes_max = settings.limits.physical_partition_bytes_max,
          .states = parts->states.get(),
          .certificate_pem = parts->tls == nullptr ? std::string() : parts->tls->certificate_pem()},
      portal::Portal::Parts{
          .gateway = gateway,
          .rows = parts->core->rows(),
          .inspection = *parts->inspection,
          .monitor = *parts->monitor,
          .names = parts->key_names,
          .runners = parts->runners,
          .metrics = parts->metrics,
          .clock = clock,
          .random = RandomBits,
          .assets = portal::EmbeddedExplorer(),
          .connect = [settings, &made = *parts](const std::string& host, bool with_key) {
            return DescribeConnections(settings, made, host, with_key);
          }});
  parts->scripts = std::move(scripts);
  parts->sql = std::make_unique<sql::SqlService>(
      sql::SqlOptions{.require_tls = exposed && !settings.allow_insecure,
                      .default_throughput = settings.sql_default_throughput,
                      .clients_merge = settings.sql_clients_merge},
      sql::SqlService::Parts{.gateway = gateway,
                             .scripts = *parts->scripts,
                             .clock = clock,
                             .metrics = parts->metrics,
                             .random = RandomBits,
                             .cluster = member,
                             .client_clock = &parts->machine});
  parts->runners.Add(parts->sql->query_runner());
  parts->process_metrics = RegisterProcessMetrics(parts->metrics, *parts->resources, clock);
  parts->work_metrics = RegisterWorkMetrics(parts->metrics, parts->io_pool, *parts->scripts);
  parts->partition_metrics = parts->metrics.AddCollector(
      [&inspection = *parts->inspection, &monitor = *parts->monitor](MetricsText& text) {
        inspection.Collect(text);
        monitor.Collect(text);
      });
  parts->loop_lag = std::make_unique<LoopLag>(*parts->loops, parts->metrics);

  net::HttpServerOptions http_options;
  http_options.listener.name = "sql";
  http_options.listener.address = settings.listen_address;
  http_options.listener.port = settings.sql_port;
  http_options.listener.port_option = "--sql-port";
  http_options.listener.clients = parts->clients;
  http_options.listener.connections_reserve = kConnectionsReserve;
  http_options.limits.body_bytes_max = kBodyBytesMax;
  http_options.host_rule = HostRuleOf(settings);
  http_options.request_timeout = kRequestTimeout;
  http_options.admission = [&portal = *parts->portal,
                            &sql = *parts->sql](const net::HttpRequest& head) {
    return IsForSqlApi(head) ? sql.Refusal(head) : portal.Refusal(head);
  };
  ORRERY_ASSIGN(parts->http,
                net::HttpServer::Start(
                    *parts->loops, http_options, parts->tls.get(), clock, parts->metrics,
                    [&portal = *parts->portal, &sql = *parts->sql](auto request, auto responder) {
                      if (IsForSqlApi(request)) {
                        sql.Handle(std::move(request), std::move(responder));
                      } else {
                        portal.Handle(std::move(request), std::move(responder));
                      }
                    }));
  // Official clients speak TLS only.
  if (settings.sql_direct_port.port.has_value() && parts->tls != nullptr) {
    ORRERY_ASSIGN(parts->sql_direct, StartDirect(settings, *parts->loops, parts->clients,
                                                 {.service = *parts->sql,
                                                  .tls = parts->tls.get(),
                                                  .clock = clock,
                                                  .metrics = parts->metrics}));
    parts->sql->ServeDirect(parts->sql_direct->port());
  }
  if (settings.table.cosmos.has_value() || settings.table.storage.has_value()) {
    std::vector<const gateway::Accounts*> table_accounts = {&parts->accounts};
    if (HasStorageEmulator(settings) && parts->accounts.name() != table::kStorageEmulatorAccount) {
      ORRERY_ASSIGN(parts->emulator, gateway::Accounts::Create(table::StorageEmulatorKeys()));
      table_accounts.push_back(&*parts->emulator);
    }
    parts->table = std::make_unique<table::TableService>(
        table::TableOptions{.require_tls = exposed && !settings.allow_insecure},
        table::TableService::Parts{gateway, clock, parts->machine, std::move(table_accounts), &parts->metrics});
    parts->runners.Add(parts->table->query_runner());
    const auto start = [&](const TablePort& port) {
      return StartTable(settings, port, *parts->table, *parts->loops, parts->tls.get(), clock,
                        parts->metrics);
    };
    if (settings.table.cosmos.has_value()) {
      ORRERY_ASSIGN(parts->table_cosmos, start({"table", *settings.table.cosmos,
                                                table::Dialect::kCosmos, parts->clients}));
    }
    if (settings.table.storage.has_value()) {
      ORRERY_ASSIGN(parts->table_storage, start({"table_storage", *settings.table.storage,
                                                 table::Dialect::kStorage, parts->clients}));
    }
  }
  if (settings.cassandra.native.has_value() || settings.cassandra.cosmos.has_value()) {
    ORRERY_ASSIGN(
        parts->cassandra,
        cassandra::CassandraApi::Start(
            {.address = settings.listen_address,
             .port = settings.cassandra.native,
             .cosmos_port = settings.cassandra.cosmos,
             .trust_local = trust_local,
             .throttle_retry_max = settings.cassandra_retry,
             .datacenter = settings.cassandra_cluster.datacenter,
             .cluster_name = settings.cassandra_cluster.cluster_name,
             .skip_java_functions = settings.cassandra_cluster.skip_java_functions,
             .advertise = settings.advertise,
             .host_id = parts->data->node_id(),
             .settings = cli::ShownSettings(settings)},
            {.rows = parts->core->rows(),
             .accounts = parts->accounts,
             .scripts = *parts->scripts,
             .loops = *parts->loops,
             .tls = parts->tls.get(),
             .clock = clock,
             .metrics = parts->metrics,
             .ring = parts->ring.get(),
             .block_cache = [&resources = *parts->resources] { return BlockCacheFacts(resources); },
             .clients = parts->clients}));
  }
  if (parts->cassandra != nullptr) {
    parts->key_names.Add(parts->cassandra->key_naming());
    parts->runners.Add(parts->cassandra->query_runner());
  }
  if (settings.mongo.native.has_value() || settings.mongo.cosmos.has_value()) {
    ORRERY_ASSIGN(parts->mongo,
                  mongo::MongoApi::Start({.address = settings.listen_address,
                                          .port = settings.mongo.native,
                                          .cosmos_port = settings.mongo.cosmos,
                                          .or_free = settings.mongo.or_free,
                                          .trust_local = trust_local,
                                          .require_tls = exposed && !settings.allow_insecure,
                                          .advertise = settings.advertise,
                                          .keys = settings.keys,
                                          .version = std::string(cli::Version()),
                                          .strict_cosmos = settings.mongo_strict,
                                          .spill_directory = parts->data->path() + "/spill"},
                                         {.gateway = gateway,
                                          .loops = *parts->loops,
                                          .tls = parts->tls.get(),
                                          .clock = clock,
                                          .metrics = parts->metrics,
                                          .scripts = parts->scripts.get(),
                                          .clients = parts->clients}));
  }
  if (parts->mongo != nullptr) parts->runners.Add(parts->mongo->query_runner());
  if (settings.gremlin.native.has_value() || settings.gremlin.cosmos.has_value()) {
    ORRERY_ASSIGN(parts->gremlin,
                  gremlin::GremlinApi::Start({.address = settings.listen_address,
                                              .port = settings.gremlin.native,
                                              .cosmos_port = settings.gremlin.cosmos,
                                              .or_free = settings.gremlin.or_free,
                                              .trust_local = trust_local,
                                              .require_tls = exposed && !settings.allow_insecure,
                                              .host_rule = HostRuleOf(settings)},
                                             {.gateway = gateway,
                                              .accounts = parts->accounts,
                                              .loops = *parts->loops,
                                              .tls = parts->tls.get(),
                                              .clock = clock,
                                              .metrics = parts->metrics,
                                              .random = RandomBits,
                                              .clients = parts->clients}));
  }
  if (parts->gremlin != nullptr) parts->runners.Add(parts->gremlin->query_runner());
  if (member != nullptr) {
    ShownPorts ports{.sql = parts->http->port()};
    if (parts->sql_direct != nullptr) ports.sql_direct = parts->sql_direct->port();
    if (parts->cassandra != nullptr) ports.cassandra = parts->cassandra->port();
    ORRERY_TRY(member->Show(ports));
  }
  if (parts->cassandra != nullptr) {
    parts->cluster_news.emplace(kClusterNewsPause,
                                [&cassandra = *parts->cassandra] { cassandra.FollowCluster(); });
  }
  parts->maintenance.emplace(
      kMaintenancePause, [&core = *parts->core, &sql = *parts->sql, mongo = parts->mongo.get()] {
        core.Maintain();
        sql.Maintain();
        if (mongo != nullptr) mongo->Maintain();
      });
  parts->sampling.emplace(kSamplingPause, [&monitor = *parts->monitor, &lag = *parts->loop_lag] {
    monitor.Tick();
    lag.Tick();
  });
  parts->is_started.store(true);
  parts->portal->StartServing();
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() { Stop(); }

uint16_t Server::port() const { return parts_->http->port(); }
uint16_t Server::sql_direct_port() const {
  return parts_->sql_direct == nullptr ? 0 : parts_->sql_direct->port();
}
uint16_t Server::cassandra_port() const {
  return parts_->cassandra == nullptr ? 0 : parts_->cassandra->port();
}
uint16_t Server::cassandra_cosmos_port() const {
  return parts_->cassandra == nullptr ? 0 : parts_->cassandra->cosmos_port();
}
uint16_t Server::table_port() const {
  return parts_->table_cosmos == nullptr ? 0 : parts_->table_cosmos->port();
}
uint16_t Server::table_storage_port() const {
  return parts_->table_storage == nullptr ? 0 : parts_->table_storage->port();
}
uint16_t Server::mongo_port() const { return parts_->mongo == nullptr ? 0 : parts_->mongo->port(); }
uint16_t Server::mongo_cosmos_port() const {
  return parts_->mongo == nullptr ? 0 : parts_->mongo->cosmos_port();
}
uint16_t Server::gremlin_port() const {
  return parts_->gremlin == nullptr ? 0 : parts_->gremlin->port();
}
uint16_t Server::gremlin_cosmos_port() const {
  return parts_->gremlin == nullptr ? 0 : parts_->gremlin->cosmos_port();
}
const std::string& Server::data_directory() const { return parts_->data->path(); }
bool Server::tls() const { return parts_->tls != nullptr; }

void Server::Stop() { parts_->Stop(); }

bool Server::has_lost_scripts() const { return parts_->scripts->counts().lost_now.load() > 0; }

}  // namespace orrery::server
