#include "api/cassandra/service/cassandra_api.h"

#include <fmt/format.h>

#include <random>

#include "api/cassandra/access/role_access.h"
#include "api/cassandra/executor/statement/statement_executor.h"
#include "api/cassandra/executor/view/table_views.h"
#include "api/cassandra/executor/view/view_builder.h"
#include "api/cassandra/executor/view/view_hook.h"
#include "api/cassandra/executor/view/view_registry.h"
#include "api/cassandra/executor/view/write_grace_period.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/function/uuid_source.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/schema/schema_cache.h"
#include "api/cassandra/server/cql_server.h"
#include "api/cassandra/service/advertised.h"
#include "api/cassandra/service/cql_key_naming.h"
#include "api/cassandra/service/cql_query_runner.h"
#include "api/cassandra/service/node_view.h"
#include "api/cassandra/service/ring_news.h"
#include "api/cassandra/service/schema_news.h"
#include "api/cassandra/system/system_keyspaces.h"
#include "api/cassandra/system/trace_store.h"
#include "api/cassandra/types/native/inet.h"
#include "api/cassandra/user_function/script_functions.h"
#include "net/client_budget.h"
#include "net/port_reservation.h"
#include "script/engine.h"
#include "script/worker_pool.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kLoginThreads = 2;
constexpr size_t kLoginQueueMax = 4'096;
constexpr size_t kConnectionsMax = 32'768;  // on each port
constexpr size_t kUnsentBytesMax = size_t{128} << 20;

uint64_t RandomBits() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// A bound for the port, or none when it is closed. With port 0 a free one is reserved, because
// clients are told the port before anybody listens on it.
struct BoundPort {
  std::optional<net::PortReservation> reservation;
  uint16_t port = 0;  // 0: closed
};

Result<BoundPort> MakeBoundPort(const std::string& address, std::optional<uint16_t> port) {
  BoundPort bound;
  if (!port.has_value()) return bound;
  bound.port = *port;
  if (*port != 0) return bound;
  ORRERY_ASSIGN(net::PortReservation reservation, net::PortReservation::Take(address));
  bound.port = reservation.port();
  bound.reservation.emplace(std::move(reservation));
  return bound;
}

SystemFacts MakeFacts(const CassandraApiOptions& options, uint16_t port, const Clock& clock) {
  SystemFacts facts;
  facts.self.cluster_name = options.cluster_name;
  facts.self.data_center = options.datacenter;
  facts.self.host_id = options.host_id;
  facts.self.native =
      Advertised(options.advertise.empty() ? options.address : options.advertise, port);
  facts.self.internal = facts.self.native;
  facts.self.started = clock.Now();
  for (const auto& [name, value] : options.settings) facts.settings.emplace(name, value);
  return facts;
}

bool MayDropTables(const Event& event) {
  const auto* change = std::get_if<SchemaChange>(&event);
  return change != nullptr && change->kind == SchemaChangeKind::kDropped &&
         (change->target == SchemaTarget::kKeyspace || change->target == SchemaTarget::kTable);
}

// Of a node that has the whole ring.
DescribedCluster DescribedHere(const NodeFacts& self) {
  DescribedCluster cluster;
  cluster.cluster = self.cluster_name;
  const auto bytes = self.internal.address.bytes();
  const std::string address =
      fmt::format("/{}:{}", InetText(std::string(bytes.begin(), bytes.end())), self.internal.port);
  for (const std::string& token : self.tokens) cluster.range_owners[token] = {address};
  return cluster;
}

}  // namespace

// In the order of their making; destroyed in the reverse order.
struct CassandraApi::Graph {
  explicit Graph(const Parts& parts)
      : rows(parts.rows),
        uuids(parts.clock, RandomBits),
        write_clock(parts.rows.times()),
        functions(NativeFunctions()),
        traces(parts.clock, RandomBits()),
        view(parts.rows),
        login_pool("login", kLoginThreads, kLoginQueueMax) {}

  gateway::RowGateway& rows;
  ServerUuids uuids;
  WriteClock write_clock;
  const FunctionLibrary functions;
  TraceStore traces;
  NodeView view;
  ThreadPool login_pool;
  EventHub events;
  ClientRegistry registry;
  std::unique_ptr<RingNews> ring;  // null: this node is alone
  std::unique_ptr<script::WorkerPool> script_pool;
  std::unique_ptr<ScriptFunctions> user_functions;
  std::unique_ptr<SchemaCache> schema;
  std::unique_ptr<CqlKeyNaming> key_naming;
  std::unique_ptr<RoleAccess> access;
  std::unique_ptr<SchemaEditor> editor;
  std::unique_ptr<ViewRegistry> view_registry;
  WriteGracePeriod write_grace_period;
  std::unique_ptr<TableViews> table_views;
  std::unique_ptr<ViewHook> view_hook;
  std::unique_ptr<ViewBuilder> view_builder;
  std::unique_ptr<SchemaNews> news;
  std::unique_ptr<StatementExecutor> statements;
  std::unique_ptr<CqlQueryRunner> query_runner;
  BoundPort native;
  BoundPort cosmos;
  std::unique_ptr<CqlServer> server;
};

CassandraApi::CassandraApi(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}

Result<std::unique_ptr<CassandraApi>> CassandraApi::Start(const CassandraApiOptions& options,
                                                          const Parts& parts) {
  auto graph = std::make_unique<Graph>(parts);
  ORRERY_ASSIGN(graph->native, MakeBoundPort(options.address, options.port));
  ORRERY_ASSIGN(graph->cosmos, MakeBoundPort(options.address, options.cosmos_port));
  const uint16_t advertised = graph->native.port != 0 ? graph->native.port : graph->cosmos.port;
  SystemFacts facts = MakeFacts(options, advertised, parts.clock);
  if (parts.ring != nullptr) {
    graph->ring = std::make_unique<RingNews>(
        *parts.ring, parts.clock,
        [&each = *graph](Event event) {
          // It may have been filling a view, which this node then goes on with.
          if (const auto* news = std::get_if<TopologyEvent>(&event);
              news != nullptr && news->change == TopologyChange::kRemovedNode)
            each.view_builder->Wake();
          each.events.Tell(std::move(event));
        },
        facts.self);
  }
  facts.peers = graph->ring.get();
  facts.traces = &graph->traces;
  facts.roles = &graph->view;
  facts.prepared = &graph->view;
  facts.monitor = &graph->view;
  facts.sizes = &graph->view;
  facts.clients = &graph->registry;
  facts.view_builds = &graph->view;
  graph->schema = std::make_unique<SchemaCache>(parts.rows.catalog(), MakeSystemKeyspaces(facts));
  graph->key_naming = std::make_unique<CqlKeyNaming>(*graph->schema);
  ORRERY_ASSIGN(
      graph->access,
      RoleAccess::Open(parts.rows.catalog(), *graph->schema, parts.accounts, parts.clock,
                       {.is_local = options.trust_local, .datacenter = facts.self.data_center}));
  graph->view.SetRoles(*graph->access);
  graph->script_pool =
      std::make_unique<script::WorkerPool>(parts.scripts, parts.clock, script::WorkerPoolOptions{});
  graph->user_functions = std::make_unique<ScriptFunctions>(
      *graph->script_pool,
      options.skip_java_functions ? JavaFunctions::kSkip : JavaFunctions::kRefuse);
  graph->editor = std::make_unique<SchemaEditor>(SchemaEditor::Parts{
      parts.rows.catalog(), *graph->schema, *graph->user_functions, parts.clock,
      [&uuids = graph->uuids] { return uuids.NextTimeUuid(); }, facts.self.data_center});
  graph->view_registry = std::make_unique<ViewRegistry>(
      ViewRegistry::Parts{*graph->schema, graph->functions, graph->uuids, parts.clock});
  graph->table_views =
      std::make_unique<TableViews>(*graph->view_registry, graph->write_grace_period);
  graph->view_hook = std::make_unique<ViewHook>(*graph->view_registry, graph->write_grace_period);
  graph->view_builder = std::make_unique<ViewBuilder>(
      ViewBuilder::Parts{*graph->schema, *graph->editor, parts.rows, *graph->view_registry,
                         graph->write_grace_period});
  graph->view.SetViewBuilds(*graph->view_builder);
  graph->news = std::make_unique<SchemaNews>(
      *graph->schema,
      [&graph = *graph](Event event) {
        if (MayDropTables(event) && graph.statements != nullptr) graph.statements->ForgetDropped();
        graph.events.Tell(std::move(event));
      },
      [&builder = *graph->view_builder] { builder.Wake(); });
  const auto answers = std::make_shared<ByteBudget>(
      kUnsentBytesMax, parts.clients == nullptr ? nullptr : parts.clients->bytes(), nullptr,
      ByteBudget::Steps{});
  graph->statements = std::make_unique<StatementExecutor>(StatementExecutor::Parts{
      .schema = *graph->schema,
      .editor = *graph->editor,
      .rows = parts.rows,
      .access = *graph->access,
      .functions = graph->functions,
      .user_functions = *graph->user_functions,
      .uuids = graph->uuids,
      .write_clock = graph->write_clock,
      .views = graph->table_views.get(),
      .fill_views = [&builder = *graph->view_builder] { builder.Wake(); },
      .listener = *graph->news,
      .traces = graph->traces,
      .cluster =
          [self = facts.self, ring = graph->ring.get()] {
            return ring != nullptr ? ring->Described() : DescribedHere(self);
          },
      .answers = answers,
      .throttle_retry_max = options.throttle_retry_max,
      .faults = parts.faults});
  graph->query_runner = std::make_unique<CqlQueryRunner>(*graph->statements);
  graph->view.SetStatements(*graph->statements);
  graph->view.SetLoginPool(graph->login_pool);
  graph->view.SetBlockCache(parts.block_cache);
  // Builds that the last stop interrupted go on.
  graph->view_builder->Wake();
  CqlServerOptions server;
  const auto add_port = [&](const BoundPort& bound, bool authenticate) {
    if (bound.port == 0) return;
    CqlPort opened;
    opened.listener.address = options.address;
    opened.listener.port = bound.port;
    opened.listener.port_option = "--cassandra-port";
    opened.listener.connections_max = kConnectionsMax;
    opened.listener.clients = parts.clients;
    opened.authenticate = authenticate;
    server.ports.push_back(std::move(opened));
  };
  add_port(graph->native, !options.trust_local);
  add_port(graph->cosmos, true);
  ORRERY_ASSIGN(graph->server, CqlServer::Start(parts.loops, std::move(server),
                                                {.statements = *graph->statements,
                                                 .authenticator = *graph->access,
                                                 .login_pool = graph->login_pool,
                                                 .events = graph->events,
                                                 .registry = graph->registry,
                                                 .clock = parts.clock,
                                                 .metrics = parts.metrics,
                                                 .tls = parts.tls,
                                                 .node = RandomBits()}));
  parts.rows.outbox().SetViewMaintenanceHook(graph->view_hook.get());
  return std::unique_ptr<CassandraApi>(new CassandraApi(std::move(graph)));
}

CassandraApi::~CassandraApi() { Stop(std::chrono::milliseconds(0)); }

uint16_t CassandraApi::port() const { return graph_->native.port; }
uint16_t CassandraApi::cosmos_port() const { return graph_->cosmos.port; }
query::QueryRunner& CassandraApi::query_runner() { return *graph_->query_runner; }
const gateway::KeyNaming& CassandraApi::key_naming() const { return *graph_->key_naming; }

void CassandraApi::FollowCluster() {
  if (graph_->ring != nullptr) graph_->ring->Follow();
  graph_->news->Follow();
}

void CassandraApi::Stop(std::chrono::milliseconds grace) {
  if (graph_->server != nullptr) graph_->server->Stop(grace);
  graph_->login_pool.Stop();
  if (graph_->statements != nullptr) graph_->statements->Stop();
  // Writes under way go on: the views stay until the core has stopped.
  graph_->rows.outbox().SetViewMaintenanceHook(nullptr);
  if (graph_->view_builder != nullptr) graph_->view_builder->Stop();
  if (graph_->script_pool != nullptr) graph_->script_pool->Stop();
}

}  // namespace orrery::cassandra
