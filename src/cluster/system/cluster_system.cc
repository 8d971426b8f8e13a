#include "cluster/system/cluster_system.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/log.h"

namespace orrery::cluster {
namespace {

using std::chrono::steady_clock;

constexpr size_t kSystemCallThreads = 4;
constexpr size_t kSystemCallQueueMax = 4'096;
constexpr std::chrono::milliseconds kCommitPatience{30'000};
constexpr std::chrono::milliseconds kFollowPatience{10'000};
constexpr std::chrono::milliseconds kPushPatience{10'000};
constexpr std::chrono::milliseconds kPushAgainAfter{50};
constexpr std::string_view kTermKey = "term";

// The kind of a push: "this change leads from there to here", or "this is all of it".
enum class PushKind : uint8_t { kChange = 1, kCopy = 2 };

Error NoManager() {
  return {Code::kUnavailable,
          "the cluster has no manager at this moment, so nothing but data can be changed; retry in "
          "a few seconds"};
}

Error StaleIds() {
  return {Code::kMoved, "the cluster has another manager since, who may give the same ids; retry"};
}

Error NotManager() { return {Code::kMoved, "this node is not the cluster's manager"}; }

void AppendVersion(std::string& bytes, SystemVersion version) {
  AppendVarint(bytes, version.term);
  AppendVarint(bytes, version.commits);
}

bool ReadVersion(ByteReader& reader, SystemVersion& version) {
  return reader.ReadVarint(version.term) && reader.ReadVarint(version.commits);
}

}  // namespace

ClusterSystem::ClusterSystem(NodeId self, Peers& peers)
    : self_(self), peers_(peers), calls_("system", kSystemCallThreads, kSystemCallQueueMax) {}

ClusterSystem::~ClusterSystem() { Stop(); }

void ClusterSystem::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  calls_.Stop();
}

void ClusterSystem::OnApplied(Applied applied) {
  MutexLock lock(applied_mutex_);
  applied_ = std::move(applied);
}

void ClusterSystem::TellApplied() {
  MutexLock lock(applied_mutex_);
  if (applied_) applied_();
}

bool ClusterSystem::Follows(NodeId node) const {
  MutexLock lock(mutex_);
  return members_.contains(node);
}

SystemVersion ClusterSystem::version() const {
  MutexLock lock(mutex_);
  return copy_.version();
}

Status ClusterSystem::Install(SystemCopy copy, NodeId manager) {
  {
    MutexLock lock(mutex_);
    if (copy.version() < copy_.version())
      return Fail(Code::kMoved, "the copy is older than what this node knows");
    copy_ = std::move(copy);
    manager_ = manager;
    doubt_.reset();
    changed_.NotifyAll();
  }
  TellApplied();
  return {};
}

Status ClusterSystem::Follow(NodeId manager) {
  ORRERY_ASSIGN(const std::string bytes,
                peers_.CallAndWait(manager, PeerMethod::kFollowSystem, {}, kFollowPatience));
  ORRERY_ASSIGN(SystemCopy copy, SystemCopy::Decode(bytes));
  MutexLock one_at_a_time(apply_mutex_);
  // Changes that the manager sent since may be here already.
  if (copy.version() < version()) {
    MutexLock lock(mutex_);
    manager_ = manager;
    return {};
  }
  return Install(std::move(copy), manager);
}

Status ClusterSystem::Lead(std::unique_ptr<LocalSystemStore> store,
                           const std::vector<NodeId>& nodes) {
  SystemCopy copy;
  uint64_t term = 0;
  ORRERY_TRY(store->ForEach("", [&](std::string_view key, std::string_view value) -> Status {
    if (key == kTermKey) {
      ByteReader reader(value);
      if (!reader.ReadVarint(term) || !reader.empty())
        return Fail(Code::kCorruption, "the manager's term in the system store cannot be read");
    }
    copy.Put(std::string(key), std::string(value));
    return {};
  }));
  std::string bytes;
  AppendVarint(bytes, term + 1);
  Change change;
  change.Put(kTermKey, bytes);
  ORRERY_TRY(store->Commit(change));
  copy.Apply(change, {.term = term + 1, .commits = 0});
  store->OnCommit([this](const Change& committed) { Spread(committed); });
  {
    MutexLock lock(mutex_);
    members_.clear();
    forgotten_.clear();
    for (const NodeId node : nodes) members_[node] = {};
  }
  MutexLock one_at_a_time(apply_mutex_);
  ORRERY_TRY(Install(std::move(copy), self_));
  MutexLock lock(lead_mutex_);
  store_ = std::move(store);
  return {};
}

void ClusterSystem::LoseManager() {
  std::shared_ptr<LocalSystemStore> closed;
  {
    MutexLock lead_lock(lead_mutex_);
    closed = std::exchange(store_, nullptr);
    MutexLock lock(mutex_);
    manager_ = NodeId();
    members_.clear();
    changed_.NotifyAll();
  }
}

void ClusterSystem::Forget(NodeId node) {
  MutexLock lock(mutex_);
  members_.erase(node);
  forgotten_.insert(node);
  changed_.NotifyAll();
}

Status ClusterSystem::RefuseForgotten(NodeId caller) const {
  MutexLock lock(mutex_);
  if (!forgotten_.contains(caller)) return {};
  return Fail(Code::kMoved, "the cluster has given this node up: start it again");
}

std::vector<NodeId> ClusterSystem::Members() const {
  std::vector<NodeId> members;
  MutexLock lock(mutex_);
  for (const auto& [node, member] : members_) members.push_back(node);
  return members;
}

std::vector<NodeId> ClusterSystem::Laggards(std::chrono::milliseconds patience) const {
  const auto now = steady_clock::now();
  std::vector<NodeId> laggards;
  MutexLock lock(mutex_);
  for (const auto& [node, member] : members_) {
    if (member.waited_for_since.has_value() && now - *member.waited_for_since > patience)
      laggards.push_back(node);
  }
  return laggards;
}

Result<std::optional<std::string>> ClusterSystem::Get(std::string_view key) const {
  MutexLock lock(mutex_);
  const auto found = copy_.entries().find(key);
  if (found == copy_.entries().end()) return std::nullopt;
  return found->second;
}

Status ClusterSystem::ForEach(std::string_view prefix, const Visit& visit) const {
  // A visit may look into the store again.
  Entries found;
  {
    MutexLock lock(mutex_);
    for (auto at = copy_.entries().lower_bound(prefix);
         at != copy_.entries().end() && at->first.starts_with(prefix); ++at) {
      found.insert(found.end(), *at);
    }
  }
  for (const auto& [key, value] : found) ORRERY_TRY(visit(key, value));
  return {};
}

std::optional<Error> ClusterSystem::Failure() const {
  MutexLock lock(mutex_);
  return doubt_;
}

Status ClusterSystem::Reopen() {
  NodeId manager;
  {
    MutexLock lock(mutex_);
    if (!doubt_.has_value()) return {};
    manager = manager_;
  }
  if (manager == NodeId()) return Fail(NoManager());
  if (manager != self_) return Follow(manager);
  std::shared_ptr<LocalSystemStore> store;
  {
    MutexLock lock(lead_mutex_);
    store = store_;
  }
  if (store == nullptr) return Fail(NoManager());
  ORRERY_TRY(store->Reopen());
  MutexLock lock(mutex_);
  doubt_.reset();
  return {};
}

Status ClusterSystem::Commit(Change change) {
  NodeId manager;
  {
    MutexLock lock(mutex_);
    if (doubt_.has_value()) return Fail(*doubt_);
    manager = manager_;
  }
  if (manager == NodeId()) return Fail(NoManager());
  // Ids that a former manager gave may be given again by this one.
  const bool has_ids = !change.sequences().empty();
  if (has_ids && change.term_of_ids() != version().term) return Fail(StaleIds());
  if (manager == self_) {
    Status committed = CommitHere(change);
    if (!committed.has_value() && committed.error().code() == Code::kUnavailable) {
      MutexLock lock(mutex_);
      doubt_ = committed.error();
    }
    return committed;
  }
  std::string request;
  AppendVarint(request, has_ids ? change.term_of_ids() : version().term);
  request += change.Encode();
  const Result<std::string> answer =
      peers_.CallAndWait(manager, PeerMethod::kCommitSystem, std::move(request), kCommitPatience);
  if (answer.has_value()) return {};  // it is in the copy: the manager has waited for that
  if (answer.error().code() == Code::kUnavailable) {
    MutexLock lock(mutex_);
    doubt_ = answer.error();
  }
  return Fail(answer.error());
}

Status ClusterSystem::CommitHere(const Change& change) {
  std::shared_ptr<LocalSystemStore> store;
  {
    MutexLock lock(lead_mutex_);
    store = store_;
  }
  if (store == nullptr) return Fail(NotManager());
  return store->Commit(change);
}

Result<uint64_t> ClusterSystem::NextId(std::string_view sequence, Change& change) {
  NodeId manager;
  uint64_t term = 0;  // before it is asked: at most too old
  {
    MutexLock lock(mutex_);
    manager = manager_;
    term = copy_.version().term;
  }
  if (manager == NodeId()) return Fail(NoManager());
  uint64_t id = 0;
  if (manager == self_) {
    ORRERY_ASSIGN(id, NextIdHere(sequence));
  } else {
    ORRERY_ASSIGN(
        const std::string answer,
        peers_.CallAndWait(manager, PeerMethod::kTakeId, std::string(sequence), kFollowPatience));
    ByteReader reader(answer);
    if (!reader.ReadVarint(id) || !reader.empty()) return UnreadableMessage();
  }
  change.TookFrom(sequence, term);
  return id;
}

Result<uint64_t> ClusterSystem::NextIdHere(std::string_view sequence) {
  std::shared_ptr<LocalSystemStore> store;
  {
    MutexLock lock(lead_mutex_);
    store = store_;
  }
  if (store == nullptr) return Fail(NotManager());
  Change noted;  // the change that the id is for says the same
  return store->NextId(sequence, noted);
}

Result<std::string> ClusterSystem::WelcomeMember(NodeId member) {
  MutexLock lead_lock(lead_mutex_);
  if (store_ == nullptr) return Fail(NotManager());
  MutexLock lock(mutex_);
  members_[member] = {.has = copy_.version(), .waited_for_since = std::nullopt};
  return copy_.Encode();
}

std::string ClusterSystem::PushToLocked(const Member& member) const {
  std::string request;
  if (member.has == last_base_) {
    AppendBigEndian(request, static_cast<uint8_t>(PushKind::kChange));
    AppendVersion(request, last_base_);
    AppendVersion(request, copy_.version());
    request += last_change_.Encode();
  } else {
    AppendBigEndian(request, static_cast<uint8_t>(PushKind::kCopy));
    request += copy_.Encode();
  }
  return request;
}

bool ClusterSystem::AnyBehindLocked() const {
  return std::ranges::any_of(members_, [version = copy_.version()](const auto& entry) {
    return entry.second.has != version;
  });
}

std::vector<ClusterSystem::Push> ClusterSystem::TakePushesLocked() {
  std::vector<Push> pushes;
  for (auto& [node, member] : members_) {
    if (member.has == copy_.version() || member.in_flight) continue;
    member.in_flight = true;
    pushes.push_back({node, copy_.version(), PushToLocked(member)});
  }
  return pushes;
}

void ClusterSystem::Send(Push push) {
  peers_.Call(push.node, PeerMethod::kApplySystem, std::move(push.request), kPushPatience,
              [this, node = push.node, version = push.version](const Result<std::string>& answer) {
                Heard(node, version, answer);
              });
}

void ClusterSystem::Heard(NodeId node, SystemVersion sent, const Result<std::string>& answer) {
  MutexLock lock(mutex_);
  const auto member = members_.find(node);
  if (member == members_.end()) return;
  member->second.in_flight = false;
  if (answer.has_value()) {
    member->second.has = sent;
    member->second.waited_for_since.reset();
  } else {
    member->second.has = {};  // all of it next time
    LogDebug("node {} did not take a change of the system store: {}", node.value(),
             answer.error().ToString());
  }
  changed_.NotifyAll();
}

void ClusterSystem::Spread(const Change& change) {
  {
    MutexLock lock(mutex_);
    last_base_ = copy_.version();
    last_change_ = change;
    copy_.Apply(change, {.term = last_base_.term, .commits = last_base_.commits + 1});
    const auto now = steady_clock::now();
    for (auto& [node, member] : members_) member.waited_for_since = now;
  }
  for (bool told = false;;) {
    std::vector<Push> pushes;
    {
      MutexLock lock(mutex_);
      pushes = TakePushesLocked();
    }
    // Without the lock: a call to somebody who is not known any more is answered at once.
    for (Push& push : pushes) Send(std::move(push));
    // As early here as with the others: a slow one among them must not hold this node up.
    if (!std::exchange(told, true)) TellApplied();
    MutexLock lock(mutex_);
    if (stopping_ || manager_ != self_ || !AnyBehindLocked()) break;
    changed_.WaitFor(mutex_, kPushAgainAfter);
  }
}

Result<std::string> ClusterSystem::ApplyPushed(NodeId manager, std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t kind = 0;
  if (!reader.ReadBigEndian(kind)) return UnreadableMessage();
  MutexLock one_at_a_time(apply_mutex_);
  if (kind == static_cast<uint8_t>(PushKind::kCopy)) {
    ORRERY_ASSIGN(SystemCopy copy, SystemCopy::Decode(reader.rest()));
    ORRERY_TRY(Install(std::move(copy), manager));
    return std::string();
  }
  SystemVersion from;
  SystemVersion to;
  if (kind != static_cast<uint8_t>(PushKind::kChange) || !ReadVersion(reader, from) ||
      !ReadVersion(reader, to)) {
    return UnreadableMessage();
  }
  ORRERY_ASSIGN(const SystemChange change, SystemChange::Decode(reader.rest()));
  {
    MutexLock lock(mutex_);
    if (copy_.version() == to) return std::string();  // told again, as the answer was lost
    if (copy_.version() != from)
      return Fail(Code::kPreconditionFailed, "this node has another version");
    copy_.Apply(change, to);
    manager_ = manager;
    changed_.NotifyAll();
  }
  TellApplied();
  return std::string();
}

void ClusterSystem::Serve(NodeId caller, PeerMethod method, std::string request,
                          PeerService::Answer answer) {
  auto serve = [this, caller, method, request = std::move(request)]() -> Result<std::string> {
    if (method != PeerMethod::kApplySystem) ORRERY_TRY(RefuseForgotten(caller));
    switch (method) {
      case PeerMethod::kFollowSystem:
        return WelcomeMember(caller);
      case PeerMethod::kApplySystem:
        return ApplyPushed(caller, request);
      case PeerMethod::kTakeId: {
        ORRERY_ASSIGN(const uint64_t id, NextIdHere(request));
        std::string bytes;
        AppendVarint(bytes, id);
        return bytes;
      }
      case PeerMethod::kCommitSystem: {
        ByteReader reader(request);
        uint64_t term = 0;
        if (!reader.ReadVarint(term)) return UnreadableMessage();
        ORRERY_ASSIGN(const SystemChange change, SystemChange::Decode(reader.rest()));
        if (term != version().term && !change.sequences().empty()) return Fail(StaleIds());
        ORRERY_TRY(CommitHere(change));
        return std::string();
      }
      default:
        return Fail(Code::kUnsupported, "not a call of the system store");
    }
  };
  // The answer is needed after the pool has refused the task, too.
  auto shared = std::make_shared<PeerService::Answer>(std::move(answer));
  if (!calls_.Submit([serve = std::move(serve), shared] { (*shared)(serve()); }))
    (*shared)(Fail(Code::kOverloaded, "the node is stopping or has too many changes waiting"));
}

}  // namespace orrery::cluster
