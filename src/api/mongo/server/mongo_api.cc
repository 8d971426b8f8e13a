#include "api/mongo/server/mongo_api.h"

#include <openssl/rand.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "api/mongo/access/role_directory.h"
#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/operation/operation_counters.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/operation/server_parameters.h"
#include "api/mongo/command/services.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/executor/aggregate/out_writer.h"
#include "api/mongo/executor/retry/retry_probe_program.h"
#include "api/mongo/executor/retry/target_program.h"
#include "api/mongo/executor/write/change_batch_program.h"
#include "api/mongo/executor/write/change_program.h"
#include "api/mongo/executor/write/expiry.h"
#include "api/mongo/executor/write/insert_program.h"
#include "api/mongo/server/mongo_query_runner.h"
#include "api/mongo/server/mongo_session.h"
#include "base/check.h"
#include "net/framed/framed_server.h"

namespace orrery::mongo {
namespace {

constexpr size_t kRequestBytesMax = size_t{512} << 20;
constexpr Micros kExpiryPause = std::chrono::seconds(60);

std::string RandomBytes(size_t size) {
  std::string bytes(size, '\0');
  ORRERY_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) ==
               1);
  return bytes;
}

uint64_t RandomBits() {
  uint64_t bits = 0;
  std::memcpy(&bits, RandomBytes(sizeof(bits)).data(), sizeof(bits));
  return bits;
}

model::ObjectIdBytes NewProcessId(const Clock& clock) {
  model::ObjectIdBytes id{};
  const std::string bytes = RandomBytes(id.size());
  std::memcpy(id.data(), bytes.data(), id.size());
  const auto seconds =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(clock.Now()).count());
  for (size_t i = 0; i < 4; ++i) id[i] = static_cast<uint8_t>(seconds >> (24 - 8 * i));
  return id;
}

net::FramedLimits LimitsOfMongo() {
  net::FramedLimits limits;
  // A connection has one command at a time: replies come in the order of their requests.
  limits.requests_max = 1;
  limits.stranger_requests_max = 1;
  limits.unsent_bytes_max = size_t{64} << 20;
  limits.idle_timeout = std::chrono::minutes(2);
  return limits;
}

}  // namespace

// In the order of their making; destroyed in the reverse order.
struct MongoApi::Graph {
  Graph(const MongoApiOptions& options, const Parts& parts,
        std::unique_ptr<query::SpillSpace> the_spill)
      : collections(parts.gateway, RandomBits),
        users(parts.gateway, options.keys, RandomBytes),
        roles(parts.gateway),
        scripts(parts.scripts == nullptr
                    ? nullptr
                    : std::make_unique<script::WorkerPool>(*parts.scripts, parts.clock,
                                                           script::WorkerPoolOptions{})),
        spill(std::move(the_spill)),
        cursors(
            {.clock = parts.clock, .metrics = parts.metrics, .random = RandomBits, .api = "mongo"}),
        sessions(parts.clock),
        requests(std::make_shared<ByteBudget>(kRequestBytesMax)),
        framed_metrics(parts.metrics, "mongo", requests),
        meter(parts.metrics, "mongo"),
        break_offs(parts.clock, "MongoDB"),
        services{.gateway = parts.gateway,
                 .clock = parts.clock,
                 .collections = collections,
                 .users = users,
                 .roles = roles,
                 .cursors = cursors,
                 .sessions = sessions,
                 .operations = operations,
                 .counters = counters,
                 .random = RandomBits,
                 .random_bytes = RandomBytes,
                 .options = {.advertise = options.advertise,
                             .trust_local = options.trust_local,
                             .server_version = options.version,
                             .strict_cosmos = options.strict_cosmos},
                 .started = parts.clock.Monotonic(),
                 .process_id = NewProcessId(parts.clock),
                 .waits = &waits,
                 .scripts = scripts.get(),
                 .spill = spill.get(),
                 .index_uses = &counters,
                 .profiler = &profiler,
                 .parameters = &parameters},
        wire{.limits = LimitsOfMongo(),
             .metrics = framed_metrics,
             .clock = parts.clock,
             .requests = requests,
             .break_offs = &break_offs},
        context{.services = services,
                .commands = commands,
                .connection_ids = connection_ids,
                .meter = meter,
                .require_tls = options.require_tls,
                .faults = parts.faults},
        query_runner(services, commands) {}

  CollectionCatalog collections;
  UserDirectory users;
  RoleDirectory roles;
  const std::unique_ptr<script::WorkerPool> scripts;  // null: no JavaScript
  const std::unique_ptr<query::SpillSpace> spill;     // null: no files
  query::CursorRegistry cursors;                      // its runs use the two above
  SessionRegistry sessions;
  OperationRegistry operations;
  OperationCounters counters;
  Profiler profiler;
  ServerParameters parameters;
  DelayQueue waits{"mongo-hello", 2 * kMongoConnectionsMax};
  const std::shared_ptr<ByteBudget> requests;
  net::FramedMetrics framed_metrics;
  RequestMeter meter;
  net::BreakOffLog break_offs;
  const CommandTable commands;
  std::atomic<int32_t> connection_ids{0};
  const MongoServices services;
  const net::FramedContext wire;
  const SessionContext context;
  MongoQueryRunner query_runner;
  Micros last_expiry{0};                      // of whoever calls Maintain
  std::atomic<bool> expires{false};           // a pass over TTL indexes is under way
  std::unique_ptr<net::FramedServer> native;  // null: closed
  std::unique_ptr<net::FramedServer> cosmos;
};

MongoApi::MongoApi(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
MongoApi::~MongoApi() { Stop(std::chrono::milliseconds(0)); }

void MongoApi::RegisterPrograms(gateway::ProgramRegistry& registry) {
  InsertProgram::Register(registry);
  ChangeProgram::Register(registry);
  ChangeBatchProgram::Register(registry);
  RetryProbeProgram::Register(registry);
  TargetProgram::Register(registry);
}

Result<std::unique_ptr<MongoApi>> MongoApi::Start(const MongoApiOptions& options,
                                                  const Parts& parts) {
  std::unique_ptr<query::SpillSpace> spill;
  if (!options.spill_directory.empty()) {
    ORRERY_ASSIGN(spill, query::SpillSpace::Open(options.spill_directory));
  }
  auto graph = std::make_unique<Graph>(options, parts, std::move(spill));
  const auto open = [&](uint16_t port, std::string name,
                        bool is_trusted) -> Result<std::unique_ptr<net::FramedServer>> {
    return net::FramedServer::Start(
        parts.loops,
        {.name = std::move(name),
         .address = options.address,
         .port = port,
         .port_option = "--mongo-port",
         .connections_max = kMongoConnectionsMax,
         .clients = parts.clients},
        parts.tls, parts.metrics, graph->wire,
        [&context = graph->context,
         is_trusted](const net::FramedLink& link) -> std::unique_ptr<net::FramedSession> {
          return std::make_unique<MongoSession>(link, context, is_trusted);
        });
  };
  const auto open_or_free = [&](uint16_t port, const std::string& name, bool is_trusted) {
    auto server = open(port, name, is_trusted);
    const bool taken = !server.has_value() && server.error().code() == Code::kAlreadyExists;
    return taken && options.or_free ? open(0, name, is_trusted) : std::move(server);
  };
  if (options.port.has_value()) {
    ORRERY_ASSIGN(graph->native, open_or_free(*options.port, "mongo", options.trust_local));
  }
  if (options.cosmos_port.has_value()) {
    ORRERY_ASSIGN(graph->cosmos, open_or_free(*options.cosmos_port, "mongo_cosmos", false));
  }
  return std::unique_ptr<MongoApi>(new MongoApi(std::move(graph)));
}

uint16_t MongoApi::port() const { return graph_->native == nullptr ? 0 : graph_->native->port(); }
uint16_t MongoApi::cosmos_port() const {
  return graph_->cosmos == nullptr ? 0 : graph_->cosmos->port();
}

query::QueryRunner& MongoApi::query_runner() { return graph_->query_runner; }

void MongoApi::Maintain() {
  graph_->cursors.Expire();
  const MongoServices& services = graph_->services;
  EndCursors(services, services.sessions.Expire());
  services.sessions.AbortOldTransactions();
  const Micros now = services.clock.Monotonic();
  if (now - graph_->last_expiry < kExpiryPause || graph_->expires.exchange(true)) return;
  graph_->last_expiry = now;
  const bool is_taken = services.gateway.io_pool().Submit([this, &services] {
    if (graph_->parameters.expires_documents())
      DeleteExpired(services.gateway, services.collections, services.now_ms());
    DropAbandonedOut(services.collections, services.now_ms());
    PurgeStreamHistory(services.gateway);
    graph_->expires.store(false);
  });
  if (!is_taken) graph_->expires.store(false);
}

void MongoApi::Stop(std::chrono::milliseconds grace) {
  graph_->waits.Stop();  // hellos that wait are answered now, for the last time
  if (graph_->native != nullptr) graph_->native->Stop(grace);
  if (graph_->cosmos != nullptr) graph_->cosmos->Stop(grace);
  graph_->sessions.AbortTransactions();
  if (graph_->scripts != nullptr) graph_->scripts->Stop();
}

}  // namespace orrery::mongo
