#include "server/cluster_seat.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "gateway/account/hmac.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "server/partition_directories.h"
#include "server/seat_note.h"

namespace orrery::server {
namespace {

using cluster::NodeCard;
using cluster::PeerMethod;

// In each lease.
constexpr int kRenewals = 4;
constexpr std::chrono::milliseconds kTickPause{500};
constexpr std::chrono::milliseconds kPlacementPause{1'000};
constexpr std::chrono::milliseconds kLookPause{5'000};
constexpr std::chrono::milliseconds kSweepPause{10'000};
constexpr std::chrono::milliseconds kJoinPatience{30'000};
constexpr std::chrono::milliseconds kStopGrace{5'000};
// What is left of a node that stops after that is taken over without its help.
constexpr std::chrono::milliseconds kHandOverPatience{10'000};
constexpr std::chrono::milliseconds kHandOverLook{50};
constexpr std::chrono::milliseconds kReliefPatience{1'000};
// EX_TEMPFAIL: whoever watches the process may start it again.
constexpr int kExitFenced = 75;

uint64_t RandomBits() {
  static thread_local std::random_device device;
  return uint64_t{device()} << 32 | device();
}

std::string RandomId() {
  std::string bytes;
  for (int i = 0; i < 2; ++i) AppendBigEndian(bytes, RandomBits());
  return ToHex(bytes);
}

// What failed in a tick is tried again in the next.
void Tell(const char* what, const Status& status) {
  if (!status.has_value()) LogWarn("{}: {}", what, status.error().ToString());
}

// Whether partitions are this node's: open here, or released and not recorded as another's yet. Who
// stops before that is recorded holds the commit up.
bool Holds(const cluster::Topology& topology) {
  return !topology.hosted.empty() || std::ranges::any_of(topology.remote, [](const auto& each) {
    return each.second.owner == NodeId();
  });
}

// What does not pass by waiting.
Status Hopeful(const Error& error) {
  // A process that was killed is on the roster for a while; this may be its address, too.
  if (error.message().find(net::kAnotherIsHere) != std::string::npos) return {};
  if (error.message().find(net::kRefusedByPeer) != std::string::npos) {
    return Fail(Code::kForbidden,
                fmt::format("the cluster does not let this node in ({}): start it with the account "
                            "key (--key or --key-file) of the other nodes, or, for a cluster of "
                            "its own, with another --rados-namespace",
                            error.message()));
  }
  switch (error.code()) {
    case Code::kCorruption:
    case Code::kUnsupported:
    case Code::kForbidden:
      return Fail(error);
    default:
      return {};
  }
}

// Nodes show their ports to clients when they serve.
std::vector<gateway::ClusterNode> ShownOf(const std::vector<NodeCard>& cards) {
  std::vector<gateway::ClusterNode> shown;
  for (const NodeCard& card : cards) {
    if (card.sql_port == 0) continue;
    shown.push_back({.id = card.id,
                     .host_id = card.host_id,
                     .address = card.client_address,
                     .sql_port = card.sql_port,
                     .cassandra_port = card.cassandra_port,
                     .software = card.software});
  }
  return shown;
}

StoreWatch::Source SourceOf(const std::shared_ptr<storage::rados::LibradosStore>& store) {
  return {.pool = [store] { return store->Pool(); },
          .cluster = [store] { return store->Cluster(); },
          .directories = [store] { return FindPartitionDirectories(*store); },
          .copies = [store](const std::string& object) { return store->CopiesOf(object); }};
}

}  // namespace

ClusterSeat::ClusterSeat(const Parts& parts)
    : parts_(parts),
      nodes_(std::make_shared<const std::vector<NodeCard>>()),
      shown_(std::make_shared<const std::vector<gateway::ClusterNode>>()) {}

Result<std::unique_ptr<ClusterSeat>> ClusterSeat::Take(const Parts& parts) {
  const cli::RadosSettings& rados = parts.settings.rados;
  std::unique_ptr<ClusterSeat> seat(new ClusterSeat(parts));
  ORRERY_ASSIGN(seat->store_,
                storage::rados::LibradosStore::Connect({.conf = rados.conf,
                                                        .user = rados.user,
                                                        .pool = rados.pool,
                                                        .name_space = rados.name_space}));
  seat->store_metrics_ = parts.metrics.AddCollector([store = seat->store_](MetricsText& text) {
    const auto traffic = store->traffic();
    text.AddCounter("orrery_store_writes_total", "Operations that changed objects of the pool.", {},
                    static_cast<double>(traffic.writes));
    text.AddCounter("orrery_store_written_bytes_total",
                    "Bytes in them; the pool keeps each as often as it has copies.", {},
                    static_cast<double>(traffic.written_bytes));
  });
  ORRERY_ASSIGN(const storage::rados::PoolFacts pool, seat->store_->Pool());
  ORRERY_TRY(storage::rados::CheckKind(pool, rados.pool));
  if (const Status enough = storage::rados::CheckCopies(pool, rados.pool); !enough.has_value()) {
    if (!rados.fewer_copies) return Fail(enough.error());
    LogWarn("{}", enough.error().message());
  }
  const SeatNote note(parts.data);
  ORRERY_ASSIGN(seat->membership_,
                cluster::Membership::Join(*seat->store_, parts.clock,
                                          {.fresh_cluster_id = RandomId(),
                                           .host_id = parts.data.node_id(),
                                           .lease_duration = rados.lease,
                                           .predecessor = [&](const std::string& cluster) {
                                             return note.Predecessor(cluster);
                                           }}));
  Tell("the next start waits for this one's leases", note.Write(seat->cluster_id(), seat->self()));
  ORRERY_TRY(seat->membership_->CheckSoftware(std::string(cli::Version())));
  seat->store_watch_ = std::make_unique<StoreWatch>(rados.pool, SourceOf(seat->store_));
  const std::chrono::milliseconds pause = std::chrono::milliseconds(rados.lease) / kRenewals;
  seat->renewals_.emplace(pause, [seat = seat.get()] { seat->Renew(); });
  seat->manager_renewals_.emplace(pause, [seat = seat.get()] {
    Tell("the manager's lease was not renewed", seat->membership_->RenewManagerLease());
  });
  ORRERY_ASSIGN(seat->files_, storage::rados::RadosFileSystem::Open(
                                  seat->store_, {.clock = &parts.clock,
                                                 .random = RandomBits,
                                                 .free_bytes = [store = seat->store_.get()] {
                                                   return store->FreeBytes();
                                                 }}));
  ORRERY_TRY(seat->StartNetwork());
  return seat;
}

ClusterSeat::~ClusterSeat() { Stop(); }

Status ClusterSeat::StartNetwork() {
  const cli::ServerSettings& settings = parts_.settings;
  ORRERY_ASSIGN(tls_, net::TlsIdentity::LoadOrCreate(parts_.data.tls_path(), {}, parts_.clock));
  PeerNetworkOptions options;
  options.identity = {
      .cluster = cluster_id(),
      .secret = gateway::HmacSha256(settings.keys.primary, "the secret of cluster " + cluster_id()),
      .node = self()};
  options.server.listener.address = settings.listen_address;
  options.server.listener.port = settings.peer_port;
  options.server.listener.port_option = "--peer-port";
  network_ = std::make_unique<PeerNetwork>(parts_.loops, std::move(options), *tls_, parts_.clock,
                                           parts_.metrics);
  system_ = std::make_unique<cluster::ClusterSystem>(self(), *network_);
  clock_watch_ = std::make_unique<cluster::ClockWatch>(self(), *network_, parts_.clock);
  ORRERY_TRY(network_->Listen(*this));
  const std::string address =
      settings.advertise.empty() ? settings.listen_address : settings.advertise;
  card_ = {.peer_address = address,
           .peer_port = network_->port(),
           .client_address = address,
           .software = std::string(cli::Version())};
  return membership_->Enter(card_);
}

Status ClusterSeat::Join(storage::EngineResources& resources) {
  resources_ = &resources;
  membership_->Connect(
      {.system = *system_,
       .open_system =
           [&resources](bool must_exist) {
             return cluster::LocalSystemStore::Open(resources, "/system", must_exist);
           },
       .met = [this](const std::vector<NodeCard>& cards) { Meet(cards); },
       .answers =
           [this](NodeId node) {
             return network_->CallAndWait(node, PeerMethod::kTellTime, {}, cluster::kAnswerPatience)
                 .has_value();
           }});
  const auto deadline = std::chrono::steady_clock::now() + kJoinPatience;
  for (;;) {
    const Status ticked = membership_->Tick();
    if (system_->version().term != 0) break;
    if (!ticked.has_value()) ORRERY_TRY(Hopeful(ticked.error()));
    if (std::chrono::steady_clock::now() >= deadline) {
      return Fail(Code::kUnavailable,
                  fmt::format("the cluster's manager could not be reached within {} s{}",
                              kJoinPatience.count() / 1000,
                              ticked.has_value() ? "" : ": " + ticked.error().message()));
    }
    std::this_thread::sleep_for(kTickPause / 5);
  }
  // No write is to have another time than the cluster's.
  if (manager() != self()) clock_watch_->Look(std::array{manager()}, manager());
  ticks_.emplace(kTickPause, [this] { Tick(); });
  return {};
}

void ClusterSeat::Serve(gateway::Core& core) {
  node_service_ = std::make_unique<cluster::NodeService>(core.node(), parts_.clock);
  manager_ = std::make_unique<cluster::Manager>(
      cluster::Manager::Parts{.self = self(),
                              .store = *store_,
                              .roster = membership_->roster(),
                              .system = *system_,
                              .peers = *network_,
                              .node = core.node(),
                              .clock = parts_.clock,
                              .leads = [this] { return membership_->LeadsNow(); }},
      cluster::ManagerOptions{});
  placements_.emplace(kPlacementPause, [this, &core] { Place(core); });
  sweeper_ =
      std::make_unique<cluster::Sweeper>(cluster::Sweeper::Parts{.self = self(),
                                                                 .roster = membership_->roster(),
                                                                 .system = *system_,
                                                                 .peers = *network_,
                                                                 .node = core.node(),
                                                                 .resources = *resources_,
                                                                 .files = *files_,
                                                                 .clock = parts_.clock,
                                                                 .metrics = &parts_.metrics},
                                         cluster::SweeperOptions{});
  core_.store(&core);
  system_->OnApplied([&core] { core.Follow(); });
  core.Follow();  // what came since the core was opened
  looks_.emplace(kLookPause, [this] { Look(); });
  sweeps_.emplace(kSweepPause, [this] {
    if (membership_->leads()) Tell("the store was not swept", sweeper_->Sweep());
  });
}

Status ClusterSeat::Show(uint16_t sql_port, uint16_t cassandra_port) {
  card_.sql_port = sql_port;
  card_.cassandra_port = cassandra_port;
  return membership_->Enter(card_);
}

void ClusterSeat::Look() {
  // While they do not tell, nodes find out by writing whether there is room.
  if (const Status told = store_->LookForFreeBytes(); !told.has_value())
    LogDebug("the store's free space is not known: {}", told.error().ToString());
  store_watch_->Look();
  std::vector<NodeId> others;
  for (const NodeCard& card : *nodes_.Load())
    if (card.id != self()) others.push_back(card.id);
  clock_watch_->Look(others, manager());
}

std::optional<std::chrono::milliseconds> ClusterSeat::ClockAhead(NodeId node) const {
  const auto ahead = clock_watch_->Ahead(node);
  if (!ahead.has_value()) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(*ahead);
}

void ClusterSeat::Renew() {
  const Status renewed = membership_->RenewLease();
  if (renewed.has_value()) return;
  LogError("{}", renewed.error().ToString());
  if (renewed.error().code() != Code::kFenced) return;
  LogError(
      "another node may have taken this one's partitions over, and the store takes nothing from it "
      "any more: the process ends, start it again");
  // Nothing can be written, and nothing that is read may be told.
  _exit(kExitFenced);
}

void ClusterSeat::Tick() {
  Tell("the cluster was not followed", membership_->Tick());
  if (core_.load() == nullptr || !membership_->leads()) return;
  const Result<bool> struck = manager_->Watch();
  if (!struck.has_value()) return Tell("nodes were not watched", Fail(struck.error()));
  // Somebody waits for what the dead had.
  if (*struck) placements_->Hurry();
}

void ClusterSeat::Place(gateway::Core& core) {
  const bool led = std::exchange(leads_, membership_->leads());
  if (!leads_) return;
  Tell("partitions were not placed", manager_->Place());
  // Whoever left, or led before, may have been building indexes.
  if (somebody_left_.exchange(false) || !led) core.catalog().ResumeBuilds();
}

void ClusterSeat::Meet(const std::vector<NodeCard>& cards) {
  const auto former = nodes_.Load();
  for (const NodeCard& card : *former) {
    if (std::ranges::find(cards, card.id, &NodeCard::id) != cards.end()) continue;
    network_->Forget(card.id);
    somebody_left_ = true;
  }
  for (const NodeCard& card : cards) {
    if (card.id == self() || std::ranges::find(*former, card) != former->end()) continue;
    if (card.damaged()) continue;  // it enters anew
    Tell("a node cannot be reached", network_->Learn(card.id, {card.peer_address, card.peer_port}));
  }
  if (*former == cards) return;
  nodes_.Store(std::make_shared<const std::vector<NodeCard>>(cards));
  shown_.Store(std::make_shared<const std::vector<gateway::ClusterNode>>(ShownOf(cards)));
}

void ClusterSeat::Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) {
  switch (method) {
    case PeerMethod::kCommitSystem:
    case PeerMethod::kTakeId:
    case PeerMethod::kFollowSystem:
    case PeerMethod::kApplySystem:
      return system_->Serve(caller, method, std::move(request), std::move(answer));
    case PeerMethod::kTellTime:
      return answer(cluster::EncodeTimes(cluster::TellTimes(parts_.clock)));
    default:
      break;
  }
  gateway::Core* const core = core_.load();
  if (method == PeerMethod::kRelieve && core != nullptr && membership_->leads())
    return answer(manager_->Relieve(caller) ? "taken" : "");
  if (core == nullptr) return answer(Fail(Code::kMoved, "the node is starting or stopping"));
  if (gateway::RemoteService::Offers(method)) {
    core->peer_service().Serve(caller, method, std::move(request), std::move(answer));
  } else {
    node_service_->Serve(method, std::move(request), std::move(answer));
  }
}

bool ClusterSeat::AskForRelief() {
  if (membership_->leads()) return manager_->Relieve(self());
  const auto answer = network_->CallAndWait(manager(), PeerMethod::kRelieve, {}, kReliefPatience);
  return answer.has_value() && !answer->empty();
}

void ClusterSeat::HandOver() {
  gateway::Core* const core = core_.load();
  if (core == nullptr) return;
  const auto deadline = std::chrono::steady_clock::now() + kHandOverPatience;
  while (Holds(*core->node().topology()) && std::chrono::steady_clock::now() < deadline) {
    if (!AskForRelief()) return;
    std::this_thread::sleep_for(kHandOverLook);
  }
}

void ClusterSeat::StopServing() {
  looks_.reset();
  sweeps_.reset();
  ticks_.reset();
  placements_.reset();
  if (network_ != nullptr) network_->Stop(kStopGrace);
  if (node_service_ != nullptr) node_service_->Stop();
  if (system_ != nullptr) {
    system_->OnApplied(nullptr);
    system_->Stop();
  }
  later_.Stop();
  core_.store(nullptr);
}

void ClusterSeat::Stop() {
  StopServing();
  manager_renewals_.reset();
  renewals_.reset();
  if (membership_ != nullptr) membership_->Stop();
}

}  // namespace orrery::server
