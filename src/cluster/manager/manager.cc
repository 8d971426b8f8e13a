#include "cluster/manager/manager.h"

#include <algorithm>

#include "base/log.h"
#include "cluster/lease/lease.h"
#include "cluster/node_service.h"
#include "cluster/node_state.h"
#include "cluster/record/ownership_record.h"
#include "partition/placement/placement_planner.h"

namespace orrery::cluster {
namespace {

using partition::OwnedPartition;
using partition::OwnerChange;
using partition::PlacementPlan;

constexpr std::chrono::milliseconds kStatisticsPatience{1'000};
constexpr std::chrono::milliseconds kReleasePatience{10'000};
// Of each new figure; the rest stays from the ones before.
constexpr double kNewPart = 0.1;

void ChangeOwner(const OwnerChange& wanted, std::optional<NodeId> recorded, SystemChange& change) {
  const std::string key = OwnershipKey(wanted.partition);
  change.Expect(key, recorded.has_value() ? std::optional(EncodeOwner(*recorded)) : std::nullopt);
  change.Put(key, EncodeOwner(wanted.to));
}

}  // namespace

Status Manager::Place() {
  std::vector<NodeId> living;
  std::set<NodeId> leaving;
  {
    MutexLock lock(mutex_);
    living = living_;
    leaving = leaving_;
  }
  if (living.empty()) return {};  // not watched yet
  // Partitions without an owner are not kept waiting for statistics; the former ones serve.
  ORRERY_ASSIGN(const bool orphans, AnyOrphan(living));
  if (!orphans) AskForStatistics(living);
  ORRERY_ASSIGN(const PlacementPlan plan, Plan(living, leaving));
  ORRERY_TRY(TakeOver(plan.take_overs));
  size_t moves = 0;
  for (const OwnerChange& change : plan.moves) {
    const bool departs = change.reason == partition::PlacementReason::kLeaving;
    if (moves++ >= (departs ? options_.departures_per_round : options_.moves_per_round)) break;
    if (const Status moved = Move(change); !moved.has_value()) {
      LogWarn("partition {} stays with node {}: {}", change.partition.value(),
              change.from.value_or(NodeId()).value(), moved.error().ToString());
    }
  }
  return {};
}

Result<bool> Manager::Watch() {
  expiry_grace_.Begin();
  Result<bool> struck = LookAtAll();
  // The store did not answer, or not when the manager's own lease was to be renewed: the next look
  // must not take for dead who waited for the same store.
  if (struck.has_value()) {
    expiry_grace_.End();
  } else {
    expiry_grace_.Fail();
  }
  return struck;
}

Result<bool> Manager::LookAtAll() {
  // In this order: whoever is a member was on the membership list before, so that one who is not
  // there now has left.
  const std::vector<NodeId> members = parts_.system.Members();
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> descriptors, parts_.membership_list.Members());
  std::vector<NodeId> living;
  for (const NodeId member : members) {
    if (std::ranges::find(descriptors, member, &NodeDescriptor::id) != descriptors.end()) continue;
    // A node that left has given its lease back; one that holds it has lost its entry, and enters
    // again.
    ORRERY_ASSIGN(const bool held, Lease::IsHeld(parts_.store, NodeLeaseObject(member)));
    if (held) {
      living.push_back(member);
    } else {
      parts_.system.Forget(member);
    }
  }
  const std::vector<NodeId> laggards = parts_.system.Laggards(options_.laggard_patience);
  bool struck = false;
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.id == parts_.self) {
      living.push_back(descriptor.id);
      continue;
    }
    ORRERY_ASSIGN(const bool held, Lease::IsHeld(parts_.store, NodeLeaseObject(descriptor.id)));
    if (!parts_.leads())
      return Fail(Code::kUnavailable, "this node may not be the manager any more");
    if (held) {
      expiry_grace_.Forget(descriptor.id);
    } else if (!expiry_grace_.HasGrace(descriptor.id, [&] { return Answers(descriptor.id); })) {
      // Asking may have taken a while, too.
      if (!parts_.leads())
        return Fail(Code::kUnavailable, "this node may not be the manager any more");
      ORRERY_ASSIGN(const bool dead, StrikeOff(descriptor));
      struck |= dead;
      if (dead) continue;
    }
    if (cut_off_.contains(descriptor.id)) continue;
    if (std::ranges::find(laggards, descriptor.id) != laggards.end()) {
      LogWarn("node {} ({}:{}) does not follow the system store and is cut off",
              descriptor.id.value(), descriptor.peer_address, descriptor.peer_port);
      // It cannot renew its lease any more; when that has run out it is struck off.
      ORRERY_TRY(Fence(descriptor));
      // From this look on the object refuses it.
      ORRERY_TRY(parts_.store.Stat(NodeLeaseObject(descriptor.id)));
      cut_off_.insert(descriptor.id);
      continue;
    }
    // One that cannot join (of another key, say) is never given anything.
    if (parts_.system.Follows(descriptor.id)) living.push_back(descriptor.id);
  }
  MutexLock lock(mutex_);
  living_ = std::move(living);
  std::erase_if(leaving_, [&](NodeId node) {
    return std::ranges::find(descriptors, node, &NodeDescriptor::id) == descriptors.end();
  });
  return struck;
}

bool Manager::Answers(NodeId node) const {
  return parts_.peers.CallAndWait(node, PeerMethod::kTellTime, {}, kAnswerPatience).has_value();
}

bool Manager::Relieve(NodeId node) {
  MutexLock lock(mutex_);
  leaving_.insert(node);
  return std::ranges::any_of(
      living_, [this](NodeId other) REQUIRES(mutex_) { return !leaving_.contains(other); });
}

Status Manager::Fence(const NodeDescriptor& descriptor) {
  std::string address = descriptor.store_address;
  // The lease names its holder, too.
  if (descriptor.damaged()) {
    ORRERY_ASSIGN(address, Lease::HolderOf(parts_.store, NodeLeaseObject(descriptor.id)));
  }
  if (address.empty()) return {};
  return parts_.store.Blocklist(address);
}

Result<bool> Manager::StrikeOff(const NodeDescriptor& descriptor) {
  ORRERY_ASSIGN(const bool closed, Lease::Close(parts_.store, NodeLeaseObject(descriptor.id)));
  if (!closed) return false;  // it was faster
  LogWarn("node {} ({}:{}) is gone: its lease has run out", descriptor.id.value(),
          descriptor.peer_address, descriptor.peer_port);
  ORRERY_TRY(Fence(descriptor));
  parts_.system.Forget(descriptor.id);
  cut_off_.erase(descriptor.id);
  expiry_grace_.Forget(descriptor.id);
  ORRERY_TRY(parts_.membership_list.Leave(descriptor.id));
  return true;
}

Result<bool> Manager::AnyOrphan(const std::vector<NodeId>& living) const {
  ORRERY_ASSIGN(const auto recorded, LoadRecordedPartitions(parts_.system));
  return std::ranges::any_of(recorded, [&](const RecordedPartition& each) {
    return std::ranges::find(living, each.owner) == living.end();
  });
}

void Manager::AskForStatistics(const std::vector<NodeId>& living) {
  const auto take = [this](const std::vector<PartitionStatistics>& statistics) {
    for (const PartitionStatistics& fresh : statistics) {
      const auto [known, is_new] = statistics_.try_emplace(fresh.id, fresh);
      if (is_new) continue;
      known->second.bytes = fresh.bytes;
      known->second.request_units_per_second +=
          kNewPart * (fresh.request_units_per_second - known->second.request_units_per_second);
    }
  };
  for (const NodeId node : living) {
    if (node == parts_.self) {
      take(StatisticsOf(*parts_.node.topology(), parts_.clock.Monotonic()));
      continue;
    }
    const auto answer =
        parts_.peers.CallAndWait(node, PeerMethod::kPartitionStatistics, {}, kStatisticsPatience);
    if (!answer.has_value()) continue;  // the former statistics serve
    if (const auto statistics = DecodeStatistics(*answer); statistics.has_value())
      take(*statistics);
  }
}

Result<PlacementPlan> Manager::Plan(const std::vector<NodeId>& living,
                                    const std::set<NodeId>& leaving) const {
  std::vector<partition::NodeFacts> nodes;
  for (const NodeId node : living) {
    const bool leaves = leaving.contains(node);
    nodes.push_back(
        {.id = node,
         .state = leaves ? partition::NodeState::kLeaving : partition::NodeState::kAlive});
  }
  ORRERY_ASSIGN(const auto recorded, LoadRecordedPartitions(parts_.system));
  std::vector<OwnedPartition> partitions;
  const Micros now = parts_.clock.Monotonic();
  for (const RecordedPartition& each : recorded) {
    OwnedPartition& facts = partitions.emplace_back(OwnedPartition{.id = each.record.id});
    if (each.owner != NodeId()) facts.owner = each.owner;
    if (const auto known = statistics_.find(each.record.id); known != statistics_.end()) {
      facts.bytes = known->second.bytes;
      facts.rate = known->second.request_units_per_second;
    }
    const auto moved = moved_.find(each.record.id);
    facts.settled = leaving.contains(each.owner) || moved == moved_.end() ||
                    now >= moved->second + options_.settling;
  }
  return partition::PlanPlacement(nodes, partitions, options_.placement);
}

Status Manager::TakeOver(const std::vector<OwnerChange>& changes) {
  if (changes.empty()) return {};
  // The plan names no former owner where that is gone; the record still does.
  std::map<PartitionId, NodeId> owners;
  ORRERY_ASSIGN(const auto recorded, LoadRecordedPartitions(parts_.system));
  for (const RecordedPartition& each : recorded) owners[each.record.id] = each.owner;
  SystemChange change;
  for (const OwnerChange& wanted : changes) {
    const NodeId former = owners[wanted.partition];
    ChangeOwner(wanted, former == NodeId() ? std::nullopt : std::optional(former), change);
    moved_[wanted.partition] = parts_.clock.Monotonic();
  }
  ORRERY_TRY(parts_.system.Commit(std::move(change)));
  LogInfo("{} partitions without an owner were given to others", changes.size());
  return {};
}

Status Manager::Move(const OwnerChange& change) {
  moved_[change.partition] = parts_.clock.Monotonic();
  const NodeId from = change.from.value_or(NodeId());
  if (from == parts_.self) {
    ORRERY_TRY(parts_.node.Release(change.partition));
  } else {
    ORRERY_TRY(parts_.peers.CallAndWait(from, PeerMethod::kReleasePartition,
                                        EncodeRelease(change.partition), kReleasePatience));
  }
  SystemChange owner;
  ChangeOwner(change, from, owner);
  ORRERY_TRY(parts_.system.Commit(std::move(owner)));
  LogInfo("partition {} goes from node {} to node {}", change.partition.value(), from.value(),
          change.to.value());
  return {};
}

}  // namespace orrery::cluster
