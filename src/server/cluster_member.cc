#include "server/cluster_member.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "base/log.h"
#include "cli/verb/version.h"
#include "gateway/account/hmac.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "server/node_identity_file.h"
#include "server/partition_directories.h"
#include "server/random_bits.h"

namespace orrery::server {
namespace {

using cluster::NodeDescriptor;
using cluster::PeerMethod;

// In each lease.
constexpr int kRenewals = 4;
constexpr std::chrono::milliseconds kTickPause{500};
constexpr std::chrono::milliseconds kPlacementPause{1'000};
constexpr std::chrono::milliseconds kLookPause{5'000};
constexpr std::chrono::milliseconds kSweepPause{10'000};
constexpr std::chrono::milliseconds kJoinPatience{30'000};
constexpr std::chrono::milliseconds kStopGrace{5'000};
// The partitions of a node that stops after that are taken over without its help.
constexpr std::chrono::milliseconds kHandOverPatience{10'000};
constexpr std::chrono::milliseconds kHandOverLook{50};
constexpr std::chrono::milliseconds kReliefPatience{1'000};
// EX_TEMPFAIL: whoever watches the process may start it again.
constexpr int kExitFenced = 75;

// In hex digits, of `words` times 64 bits.
std::string RandomDigits(int words) {
  std::string bytes;
  for (int i = 0; i < words; ++i) AppendBigEndian(bytes, RandomBits());
  return ToHex(bytes);
}

// Says which keys a node takes to the others, who know the secret.
std::string KeyMarks(const gateway::AccountKeys& keys, const std::string& secret) {
  std::string marks;
  for (const std::string& key : {keys.primary, keys.secondary}) {
    if (key.empty()) continue;
    marks += gateway::HmacSha256(secret, "mark of the account key " + key)
                 .substr(0, cluster::kKeyMarkBytes);
  }
  return marks;
}

// A step that failed in a tick is tried again in the next.
void Tell(const char* what, const Status& status) {
  if (!status.has_value()) LogWarn("{}: {}", what, status.error().ToString());
}

// Returns whether partitions are this node's: open here, or released and not recorded as another's
// yet. A node that stops before that is recorded holds the commit up.
bool Holds(const cluster::Topology& topology) {
  return !topology.hosted.empty() || std::ranges::any_of(topology.remote, [](const auto& each) {
    return each.second.owner == NodeId();
  });
}

// Returns the errors that do not pass by waiting.
Status Hopeful(const Error& error) {
  // A process that was killed is on the membership list for a while; this may be its address, too.
  if (error.message().find(net::kAnotherIsHere) != std::string::npos) return {};
  if (error.message().find(net::kRefusedByPeer) != std::string::npos) {
    return Fail(Code::kForbidden,
                fmt::format("the cluster does not let this node in ({}): nodes of this version and "
                            "of those before it cannot run together, stop all of them and start "
                            "them again",
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
std::vector<gateway::ClusterNode> ShownOf(const std::vector<NodeDescriptor>& descriptors) {
  std::vector<gateway::ClusterNode> shown;
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.sql_port == 0) continue;
    shown.push_back({.id = descriptor.id,
                     .host_id = descriptor.host_id,
                     .address = descriptor.client_address,
                     .sql_port = descriptor.sql_port,
                     .cassandra_port = descriptor.cassandra_port,
                     .sql_direct_port = descriptor.sql_direct_port,
                     .software = descriptor.software});
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

ClusterMember::ClusterMember(const Parts& parts)
    : parts_(parts),
      nodes_(std::make_shared<const std::vector<NodeDescriptor>>()),
      shown_(std::make_shared<const std::vector<gateway::ClusterNode>>()) {}

Result<std::unique_ptr<ClusterMember>> ClusterMember::Take(const Parts& parts) {
  const cli::RadosSettings& rados = parts.settings.rados;
  std::unique_ptr<ClusterMember> member(new ClusterMember(parts));
  ORRERY_ASSIGN(member->store_,
                storage::rados::LibradosStore::Connect({.conf = rados.conf,
                                                        .user = rados.user,
                                                        .pool = rados.pool,
                                                        .name_space = rados.name_space}));
  member->store_metrics_ = parts.metrics.AddCollector([store = member->store_](MetricsText& text) {
    const auto traffic = store->traffic();
    text.AddCounter("orrery_store_writes_total", "Operations that changed objects of the pool.", {},
                    static_cast<double>(traffic.writes));
    text.AddCounter("orrery_store_written_bytes_total",
                    "Bytes in them; the pool keeps each as often as it has copies.", {},
                    static_cast<double>(traffic.written_bytes));
  });
  ORRERY_ASSIGN(const storage::rados::PoolFacts pool, member->store_->Pool());
  ORRERY_TRY(storage::rados::CheckKind(pool, rados.pool));
  if (const Status enough = storage::rados::CheckCopies(pool, rados.pool); !enough.has_value()) {
    if (!rados.fewer_copies) return Fail(enough.error());
    LogWarn("{}", enough.error().message());
  }
  const NodeIdentityFile identity(parts.data);
  ORRERY_ASSIGN(member->membership_,
                cluster::Membership::Join(*member->store_, parts.clock,
                                          {.fresh_cluster_id = RandomDigits(2),
                                           .fresh_secret = RandomDigits(4),
                                           .host_id = parts.data.node_id(),
                                           .lease_duration = rados.lease,
                                           .predecessor = [&](const std::string& cluster) {
                                             return identity.Predecessor(cluster);
                                           }}));
  Tell("the next start waits for this one's leases",
       identity.Write(member->cluster_id(), member->self()));
  ORRERY_TRY(member->membership_->CheckSoftware(std::string(cli::Version())));
  const std::string marks = KeyMarks(parts.settings.keys, member->membership_->secret());
  if (const Status checked = member->membership_->CheckKeys(marks); !checked.has_value()) {
    if (checked.error().code() != Code::kForbidden) return Fail(checked.error());
    return Fail(Code::kForbidden,
                fmt::format("the cluster does not let this node in ({}): start it with an account "
                            "key (--key or --key-file) that is one of theirs, as primary or "
                            "secondary key, or, for a cluster of its own, with another "
                            "--rados-namespace",
                            checked.error().message()));
  }
  member->store_watch_ = std::make_unique<StoreWatch>(rados.pool, SourceOf(member->store_));
  const std::chrono::milliseconds pause = std::chrono::milliseconds(rados.lease) / kRenewals;
  member->renewals_.emplace(pause, [member = member.get()] { member->Renew(); });
  member->manager_renewals_.emplace(pause, [member = member.get()] {
    Tell("the manager's lease was not renewed", member->membership_->RenewManagerLease());
  });
  ORRERY_ASSIGN(member->files_, storage::rados::RadosFileSystem::Open(
                                    member->store_, {.clock = &parts.clock,
                                                     .random = RandomBits,
                                                     .free_bytes = [store = member->store_.get()] {
                                                       return store->FreeBytes();
                                                     }}));
  ORRERY_TRY(member->StartNetwork());
  return member;
}

ClusterMember::~ClusterMember() { Stop(); }

Status ClusterMember::StartNetwork() {
  const cli::ServerSettings& settings = parts_.settings;
  ORRERY_ASSIGN(tls_, net::TlsIdentity::LoadOrCreate(parts_.data.tls_path(), {}, parts_.clock));
  PeerNetworkOptions options;
  options.identity = {.cluster = cluster_id(), .secret = membership_->secret(), .node = self()};
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
  descriptor_ = {.peer_address = address,
                 .peer_port = network_->port(),
                 .client_address = address,
                 .software = std::string(cli::Version()),
                 .key_marks = KeyMarks(settings.keys, membership_->secret())};
  return membership_->Enter(descriptor_);
}

Status ClusterMember::Join(storage::EngineResources& resources) {
  resources_ = &resources;
  membership_->Connect(
      {.system = *system_,
       .open_system =
           [&resources](bool must_exist) {
             return cluster::LocalSystemStore::Open(resources, "/system", must_exist);
           },
       .met = [this](const std::vector<NodeDescriptor>& descriptors) { Meet(descriptors); },
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

void ClusterMember::Serve(gateway::Core& core) {
  node_service_ = std::make_unique<cluster::NodeService>(core.node(), parts_.clock);
  manager_ = std::make_unique<cluster::Manager>(
      cluster::Manager::Parts{.self = self(),
                              .store = *store_,
                              .membership_list = membership_->membership_list(),
                              .system = *system_,
                              .peers = *network_,
                              .node = core.node(),
                              .clock = parts_.clock,
                              .leads = [this] { return membership_->LeadsNow(); }},
      cluster::ManagerOptions{});
  placements_.emplace(kPlacementPause, [this, &core] { Place(core); });
  sweeper_ = std::make_unique<cluster::Sweeper>(
      cluster::Sweeper::Parts{.self = self(),
                              .membership_list = membership_->membership_list(),
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

Status ClusterMember::Show(const ShownPorts& ports) {
  descriptor_.sql_port = ports.sql;
  descriptor_.sql_direct_port = ports.sql_direct;
  descriptor_.cassandra_port = ports.cassandra;
  return membership_->Enter(descriptor_);
}

void ClusterMember::Look() {
  // While they do not tell, nodes find out by writing whether there is room.
  if (const Status told = store_->LookForFreeBytes(); !told.has_value())
    LogDebug("the store's free space is not known: {}", told.error().ToString());
  store_watch_->Look();
  std::vector<NodeId> others;
  for (const NodeDescriptor& descriptor : *nodes_.Load())
    if (descriptor.id != self()) others.push_back(descriptor.id);
  clock_watch_->Look(others, manager());
}

std::optional<std::chrono::milliseconds> ClusterMember::ClockAhead(NodeId node) const {
  const auto ahead = clock_watch_->Ahead(node);
  if (!ahead.has_value()) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(*ahead);
}

void ClusterMember::Renew() {
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

void ClusterMember::Tick() {
  Tell("the cluster was not followed", membership_->Tick());
  if (core_.load() == nullptr || !membership_->leads()) return;
  const Result<bool> struck = manager_->Watch();
  if (!struck.has_value()) return Tell("nodes were not watched", Fail(struck.error()));
  // Somebody waits for what the dead had.
  if (*struck) placements_->Hurry();
}

void ClusterMember::Place(gateway::Core& core) {
  const bool led = std::exchange(leads_, membership_->leads());
  if (!leads_) return;
  Tell("partitions were not placed", manager_->Place());
  // A node that left, or led before, may have been building indexes.
  if (somebody_left_.exchange(false) || !led) core.catalog().ResumeBuilds();
}

void ClusterMember::Meet(const std::vector<NodeDescriptor>& descriptors) {
  const auto former = nodes_.Load();
  for (const NodeDescriptor& descriptor : *former) {
    if (std::ranges::find(descriptors, descriptor.id, &NodeDescriptor::id) != descriptors.end())
      continue;
    network_->Forget(descriptor.id);
    somebody_left_ = true;
  }
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.id == self() || std::ranges::find(*former, descriptor) != former->end())
      continue;
    if (descriptor.damaged()) continue;  // it enters anew
    Tell("a node cannot be reached",
         network_->Learn(descriptor.id, {descriptor.peer_address, descriptor.peer_port}));
  }
  if (*former == descriptors) return;
  nodes_.Store(std::make_shared<const std::vector<NodeDescriptor>>(descriptors));
  shown_.Store(std::make_shared<const std::vector<gateway::ClusterNode>>(ShownOf(descriptors)));
}

void ClusterMember::Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) {
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

bool ClusterMember::AskForRelief() {
  if (membership_->leads()) return manager_->Relieve(self());
  const auto answer = network_->CallAndWait(manager(), PeerMethod::kRelieve, {}, kReliefPatience);
  return answer.has_value() && !answer->empty();
}

void ClusterMember::HandOver() {
  gateway::Core* const core = core_.load();
  if (core == nullptr) return;
  const auto deadline = std::chrono::steady_clock::now() + kHandOverPatience;
  while (Holds(*core->node().topology()) && std::chrono::steady_clock::now() < deadline) {
    if (!AskForRelief()) return;
    std::this_thread::sleep_for(kHandOverLook);
  }
}

void ClusterMember::StopServing() {
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
  timers_.Stop();
  core_.store(nullptr);
}

void ClusterMember::Stop() {
  StopServing();
  manager_renewals_.reset();
  renewals_.reset();
  if (membership_ != nullptr) membership_->Stop();
}

}  // namespace orrery::server
