#include "server/server.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "api/cassandra/service/cassandra_api.h"
#include "api/sql/query/computed/computed_index.h"
#include "api/sql/service/sql_service.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "cli/verb/version.h"
#include "cluster/member/steered_clock.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "gateway/view/inspection.h"
#include "gateway/view/ring_view.h"
#include "net/event_loops.h"
#include "net/http/http_server.h"
#include "net/tls/tls_identity.h"
#include "portal/portal.h"
#include "script/engine.h"
#include "server/cluster_seat.h"
#include "server/data_directory.h"
#include "server/process_metrics.h"
#include "server/sql_door.h"
#include "server/ticker.h"
#include "storage/resources.h"

namespace orrery::server {
namespace {

constexpr size_t kCommitThreads =
    2;  // each sequencer uses one at a time, mostly waiting for the disk
constexpr size_t kCommitQueueMax = 1 << 17;  // one entry per partition at most
constexpr size_t kIoQueueMax = 4'096;
constexpr size_t kEventLoopsMax = 8;
constexpr size_t kBodyBytesMax = 4 << 20;
constexpr std::chrono::milliseconds kUpkeepPause{1'000};
constexpr std::chrono::milliseconds kClusterNewsPause{500};
constexpr std::chrono::milliseconds kDrainGrace{10'000};

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
  std::vector<std::string> names;
  if (!cli::IsLoopback(settings.listen_address) && settings.listen_address != "0.0.0.0" &&
      settings.listen_address != "::") {
    names.push_back(settings.listen_address);
  }
  return net::TlsIdentity::LoadOrCreate(data.tls_path(), names, clock);
}

storage::ResourceOptions ResourcesFor(const cli::ServerSettings& settings, ClusterSeat* seat) {
  storage::ResourceOptions options{.block_cache_bytes = settings.cache_bytes,
                                   .memtable_bytes_max = settings.memtable_bytes};
  if (seat == nullptr) return options;
  options.spare_log_bytes_min = UINT64_MAX;  // objects are not faster when they are written over
  options.file_system = seat->files()->AsFileSystem();
  options.directory_owner = seat->files();
  return options;
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
  // Without a seat the files are on this machine's disk.
  Parts(const cli::ServerSettings& settings, gateway::Accounts granted, const Clock& machine_clock)
      : clock(machine_clock),
        accounts(std::move(granted)),
        loops(std::make_unique<net::EventLoops>(
            std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kEventLoopsMax))),
        // What is submitted while others write is written together.
        commit_pool("commit", kCommitThreads, kCommitQueueMax, ThreadPriority::kPatient),
        io_pool("io", settings.io_threads, kIoQueueMax) {}
  ~Parts() { Stop(); }

  // Also of a server that was only half started. Idempotent.
  void Stop() {
    if (portal) portal->StartDraining();
    // While it still serves: then no request meets a partition that nobody has.
    if (seat) seat->HandOver();
    if (cluster_news) cluster_news->Stop();
    if (http) http->Stop(kDrainGrace);
    if (sql) sql->Stop();
    if (cassandra) cassandra->Stop(kDrainGrace);
    if (upkeep) upkeep->Stop();
    if (seat) seat->StopServing();
    io_pool.Stop();
    if (core) core->Stop();
    if (seat) seat->Stop();
    loops->Stop();
  }

  cluster::SteeredClock clock;  // the machine's, without a seat
  MetricsRegistry metrics;
  const gateway::Accounts accounts;
  std::unique_ptr<DataDirectory> data;
  std::unique_ptr<net::EventLoops> loops;
  std::unique_ptr<ClusterSeat> seat;  // null on a single machine
  std::unique_ptr<storage::EngineResources> resources;
  ThreadPool commit_pool;
  ThreadPool io_pool;
  const sql::SqlComputedMaker computed;
  std::unique_ptr<gateway::Core> core;
  std::unique_ptr<gateway::RingView> ring;  // null on a single machine
  std::unique_ptr<gateway::Inspection> inspection;
  std::unique_ptr<portal::Portal> portal;
  std::unique_ptr<script::Engine> scripts;
  std::unique_ptr<sql::SqlService> sql;
  std::unique_ptr<net::TlsIdentity> tls;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<cassandra::CassandraApi> cassandra;
  std::optional<Ticker> upkeep;
  std::optional<Ticker> cluster_news;
  MetricsRegistry::Registration process_metrics;
  MetricsRegistry::Registration partition_metrics;
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::Start(const cli::ServerSettings& settings,
                                              const Clock& machine_clock) {
  ORRERY_TRY(cli::CheckStore(settings));
  ORRERY_ASSIGN(gateway::Accounts accounts, gateway::Accounts::Create(settings.keys));
  ORRERY_ASSIGN(auto data, DataDirectory::Open(settings.data_directory));
  auto parts = std::make_unique<Parts>(settings, std::move(accounts), machine_clock);
  const Clock& clock = parts->clock;
  parts->data = std::move(data);
  ORRERY_ASSIGN(parts->tls, MakeTls(settings, *parts->data, clock));
  if (settings.store == cli::StoreKind::kRados) {
    ORRERY_ASSIGN(parts->seat, ClusterSeat::Take({.settings = settings,
                                                  .data = *parts->data,
                                                  .loops = *parts->loops,
                                                  .clock = parts->clock,
                                                  .metrics = parts->metrics}));
  }
  ClusterSeat* const seat = parts->seat.get();
  parts->resources = std::make_unique<storage::EngineResources>(ResourcesFor(settings, seat));
  if (seat != nullptr) ORRERY_TRY(seat->Join(*parts->resources));

  gateway::CoreOptions core{.directory = parts->data->path(),
                            .limits = settings.limits,
                            .burst = settings.burst,
                            .sequencer = {.durability = settings.durability},
                            .computed = &parts->computed};
  gateway::Core::Parts core_parts{.resources = *parts->resources,
                                  .commit_pool = parts->commit_pool,
                                  .io_pool = parts->io_pool,
                                  .accounts = parts->accounts,
                                  .clock = clock,
                                  .metrics = parts->metrics};
  if (seat != nullptr) {
    core.directory = "";  // of the store
    core.self = seat->self();
    core.lease = &seat->lease();
    core_parts.peers = &seat->peers();
    core_parts.later = &seat->later();
    core_parts.system = &seat->system();
  }
  ORRERY_ASSIGN(parts->core, gateway::Core::Open(core, core_parts));
  if (seat != nullptr) {
    seat->Serve(*parts->core);
    parts->ring =
        std::make_unique<gateway::RingView>(parts->core->catalog(), parts->core->node(), *seat);
  }
  gateway::Gateway& gateway = parts->core->gateway();
  parts->inspection = std::make_unique<gateway::Inspection>(
      gateway, *parts->resources, clock, std::string(cli::Version()),
      seat == nullptr ? std::nullopt
                      : std::optional(gateway::Inspection::Cluster{*seat, seat->peers()}));
  const bool exposed = !cli::IsLoopback(settings.listen_address);
  const bool trust_local = cli::EffectiveAuth(settings) == cli::AuthMode::kLocal;
  parts->portal = std::make_unique<portal::Portal>(
      portal::PortalOptions{
          .trust_local = trust_local,
          .require_tls = exposed && !settings.allow_insecure,
          .partition_bytes_max = settings.limits.physical_partition_bytes_max,
          .certificate_pem = parts->tls == nullptr ? std::string() : parts->tls->certificate_pem()},
      gateway, parts->core->rows(), *parts->inspection, parts->metrics);
  ORRERY_ASSIGN(parts->scripts, script::Engine::Start());
  parts->sql = std::make_unique<sql::SqlService>(
      sql::SqlOptions{.require_tls = exposed && !settings.allow_insecure,
                      .default_throughput = settings.sql_default_throughput,
                      .clients_merge = settings.sql_clients_merge},
      sql::SqlService::Parts{.gateway = gateway, .scripts = *parts->scripts, .clock = clock});
  parts->process_metrics = RegisterProcessMetrics(parts->metrics, *parts->resources, clock);
  parts->partition_metrics = parts->metrics.AddCollector(
      [&inspection = *parts->inspection](MetricsText& text) { inspection.Collect(text); });

  net::HttpServerOptions http_options;
  http_options.listener.name = "sql";
  http_options.listener.address = settings.listen_address;
  http_options.listener.port = settings.sql_port;
  http_options.listener.port_option = "--sql-port";
  http_options.limits.body_bytes_max = kBodyBytesMax;
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
  if (settings.cassandra.native.has_value() || settings.cassandra.cosmos.has_value()) {
    ORRERY_ASSIGN(parts->cassandra,
                  cassandra::CassandraApi::Start({.address = settings.listen_address,
                                                  .port = settings.cassandra.native,
                                                  .cosmos_port = settings.cassandra.cosmos,
                                                  .trust_local = trust_local,
                                                  .throttle_retry_max = settings.cassandra_retry,
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
                                                  .block_cache = [&resources = *parts->resources] {
                                                    return BlockCacheFacts(resources);
                                                  }}));
  }
  if (seat != nullptr) {
    ORRERY_TRY(seat->Show(parts->http->port(),
                          parts->cassandra == nullptr ? 0 : parts->cassandra->port()));
  }
  if (parts->cassandra != nullptr) {
    parts->cluster_news.emplace(kClusterNewsPause,
                                [&cassandra = *parts->cassandra] { cassandra.FollowCluster(); });
  }
  parts->upkeep.emplace(kUpkeepPause, [&core = *parts->core] { core.Upkeep(); });
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() { Stop(); }

uint16_t Server::port() const { return parts_->http->port(); }
uint16_t Server::cassandra_port() const {
  return parts_->cassandra == nullptr ? 0 : parts_->cassandra->port();
}
uint16_t Server::cassandra_cosmos_port() const {
  return parts_->cassandra == nullptr ? 0 : parts_->cassandra->cosmos_port();
}
const std::string& Server::data_directory() const { return parts_->data->path(); }
bool Server::tls() const { return parts_->tls != nullptr; }

void Server::Stop() { parts_->Stop(); }

}  // namespace orrery::server
