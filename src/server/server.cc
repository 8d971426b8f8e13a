#include "server/server.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "api/mongo/server/mongo_api.h"
#include "api/sql/handler/document/conditional_patch.h"
#include "api/table/executor/change_program.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "cluster/node.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "gateway/history/partition_monitor.h"
#include "gateway/view/inspection.h"
#include "gateway/view/ring_view.h"
#include "portal/portal.h"
#include "script/engine.h"
#include "server/connect_report.h"
#include "server/loop_lag.h"
#include "server/process_metrics.h"
#include "server/random_bits.h"
#include "server/seeding.h"
#include "server/server_parts.h"
#include "server/server_process.h"
#include "server/staged_data.h"
#include "server/start/start_apis.h"
#include "server/start/start_options.h"
#include "server/state/data_states.h"
#include "server/throwaway_directory.h"
#include "storage/fault/slow_engines.h"
#include "storage/lost_writes.h"

namespace orrery::server {
namespace {

constexpr std::chrono::milliseconds kMaintenancePause{1'000};
constexpr std::chrono::milliseconds kSamplingPause{1'000};
constexpr std::chrono::milliseconds kClusterNewsPause{500};

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

// Makes each read and write of a partition that is open here take longer; 0 ends that.
Status SlowDownPartition(cluster::Node& node, storage::EngineResources& resources,
                         PartitionId partition, std::chrono::milliseconds delay) {
  const auto topology = node.topology();
  const auto found = topology->hosted.find(partition);
  if (found == topology->hosted.end()) {
    return Fail(Code::kNotFound,
                fmt::format("this server has no physical partition {} open; `orrery partitions` "
                            "lists them",
                            partition.value()));
  }
  storage::SlowEnginesOf(resources).Set(found->second->engine().path(), delay);
  return {};
}

}  // namespace

Server::Server(std::unique_ptr<ServerParts> parts) : parts_(std::move(parts)) {}

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
  std::unique_ptr<storage::Ballast> ballast;
  if (throwaway == nullptr && settings.store == cli::StoreKind::kLocal) {
    ballast = std::make_unique<storage::Ballast>(data->path(), settings.ballast_bytes);
    // With less than that growth is refused, so data alone does not come here: it is full.
    ballast->GiveUpBelow(cluster::NodeOptions().disk_reserve_bytes / 2);
  }
  ORRERY_TRY(StagedData::Recover(data->path()));
  if (!settings.seed_directory.empty()) ORRERY_TRY(SeedData(settings, *data, scripts));
  auto parts = std::make_unique<ServerParts>(settings, std::move(accounts), machine_clock);
  const Clock& clock = parts->clock;
  parts->throwaway = std::move(throwaway);
  parts->data = std::move(data);
  parts->ballast = std::move(ballast);
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
  if (settings.accept_lost_writes) storage::AcceptLostWrites(*parts->resources);
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
  core.ballast = parts->ballast.get();
  auto opened = gateway::Core::Open(core, core_parts);
  const bool full = !opened.has_value() && opened.error().code() == Code::kResourceExhausted;
  if (full && parts->ballast != nullptr && parts->ballast->GiveUp())
    opened = gateway::Core::Open(core, core_parts);
  ORRERY_ASSIGN(parts->core, std::move(opened));
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
  if (settings.allow_reset) {
    parts->states =
        std::make_unique<DataStates>(parts->data->path(), member != nullptr, parts->test_clock);
    parts->states->Connect(*parts->core);
  }
  if (settings.allow_faults)
    parts->faults = std::make_unique<gateway::FaultPlan>(
        [&node = parts->core->node(), &resources = *parts->resources](
            PartitionId partition, std::chrono::milliseconds delay) {
          return SlowDownPartition(node, resources, partition, delay);
        });
  parts->portal = std::make_unique<portal::Portal>(
      portal::PortalOptions{
          .door = {.trust_local = TrustsLocal(settings),
                   .require_tls = RequiresTls(settings),
                   .only_loopback = !exposed,
                   .origin = settings.explorer_origin},
          .explorer = settings.explorer,
          .partition_bytes_max = settings.limits.physical_partition_bytes_max,
          .states = parts->states.get(),
          .faults = parts->faults.get(),
          .certificate_pem = parts->tls == nullptr ? std::string() : parts->tls->certificate_pem()},
      portal::Portal::Parts{
          .gateway = gateway,
          .rows = parts->core->rows(),
          .inspection = *parts->inspection,
          .monitor = *parts->monitor,
          .moves = parts->core->moves(),
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
  MakeSql(settings, *parts);
  parts->process_metrics = RegisterProcessMetrics(parts->metrics, *parts->resources, clock);
  parts->work_metrics = RegisterWorkMetrics(parts->metrics, parts->io_pool, *parts->scripts);
  parts->partition_metrics = parts->metrics.AddCollector(
      [&inspection = *parts->inspection, &monitor = *parts->monitor](MetricsText& text) {
        inspection.Collect(text);
        monitor.Collect(text);
      });
  parts->loop_lag = std::make_unique<LoopLag>(*parts->loops, parts->metrics);

  ORRERY_TRY(StartHttp(settings, *parts));
  ORRERY_TRY(StartSqlDirect(settings, *parts));
  ORRERY_TRY(StartTable(settings, *parts));
  ORRERY_TRY(StartCassandra(settings, *parts));
  ORRERY_TRY(StartMongo(settings, *parts));
  ORRERY_TRY(StartGremlin(settings, *parts));
  ORRERY_TRY(StartHealth(settings, *parts));
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
uint16_t Server::health_port() const {
  return parts_->health == nullptr ? 0 : parts_->health->port();
}
const std::string& Server::data_directory() const { return parts_->data->path(); }
bool Server::tls() const { return parts_->tls != nullptr; }

void Server::Stop() { parts_->Stop(); }

bool Server::has_lost_scripts() const { return parts_->scripts->counts().lost_now.load() > 0; }

}  // namespace orrery::server
