// The manager of a cluster decides which node has which partition: it finds out who is alive, gives
// what the dead had to the living, and evens out what they carry (partition/placement).
//
// It runs on the node whose system store leads (cluster_system.h). Everything that it decides is a
// commit of the system store, so the next manager goes on where this one stopped.
//
// A node is dead when its lease has run out by the store's clock; then it has stopped answering by
// its own, and the store is told to take nothing from it any more before its partitions are given
// away. A node that does not follow the system store is cut off the same way, so that it does not
// hold up everybody's commits.
//
// A store that did not answer for a while lets everybody's lease run out, and nobody is dead for
// that: whoever is found without one around such a time is granted grace for a while
// (expiry_grace.h), and a manager that is not sure of its own lease strikes nobody off.
//
// A node that is about to stop says so (Relieve): its partitions are handed over while it still
// serves, one after the other, and nobody waits for the others.
//
// Watch and Place from one thread each, both every second or so: what Place commits may have to
// wait for a node that only Watch can cut off. The parts must outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/lease/expiry_grace.h"
#include "cluster/member/membership_list.h"
#include "cluster/node.h"
#include "cluster/partition_statistics.h"
#include "cluster/peers.h"
#include "cluster/system/cluster_system.h"
#include "partition/placement/placement_facts.h"
#include "storage/rados/object/object_store.h"

namespace orrery::cluster {

struct ManagerOptions {
  // A node that does not apply a commit for so long is cut off. It may have to wait for writes that
  // are under way.
  std::chrono::milliseconds laggard_patience{12'000};
  // Planned hand-overs in one round, to even out what nodes carry, and away from those that leave.
  size_t moves_per_round = 4;
  size_t departures_per_round = 16;
  // A partition that moved is let alone for so long.
  std::chrono::seconds settling{30};
  partition::PlacementOptions placement{};
};

class Manager {
 public:
  struct Parts {
    NodeId self;
    storage::rados::ObjectStore& store;
    MembershipList& membership_list;
    ClusterSystem& system;
    Peers& peers;
    Node& node;
    const Clock& clock;
    // Returns whether this node certainly is the manager at this moment.
    std::function<bool()> leads;
  };
  Manager(Parts parts, ManagerOptions options)
      : parts_(std::move(parts)), options_(options), expiry_grace_(parts_.clock) {}

  // Finds out who is alive, and strikes the dead off; true when there were any. kUnavailable when
  // this node may not be the manager any more.
  Result<bool> Watch() EXCLUDES(mutex_);
  // Gives partitions to those that Watch found alive, and moves some between them. What fails is
  // tried again the next time.
  Status Place() EXCLUDES(mutex_);
  // From now on Place gives the node nothing and moves away what it has. False when no node is left
  // that could take it. Thread-safe; never blocks for long.
  bool Relieve(NodeId node) EXCLUDES(mutex_);

 private:
  // The store takes nothing from that process any more.
  Status Fence(const NodeDescriptor& descriptor);
  // False when it lives after all.
  Result<bool> StrikeOff(const NodeDescriptor& descriptor);
  // Watch, without remembering how it went.
  Result<bool> LookAtAll() EXCLUDES(mutex_);
  // Returns whether the process of that node is alive, whatever the state of its lease.
  bool Answers(NodeId node) const;
  // Returns whether the owner of some partition is not among them.
  Result<bool> AnyOrphan(const std::vector<NodeId>& living) const;
  void AskForStatistics(const std::vector<NodeId>& living);
  Result<partition::PlacementPlan> Plan(const std::vector<NodeId>& living,
                                        const std::set<NodeId>& leaving) const;
  Status TakeOver(const std::vector<partition::OwnerChange>& changes);
  Status Move(const partition::OwnerChange& change);

  const Parts parts_;
  const ManagerOptions options_;

  // Of Watch.
  std::set<NodeId> cut_off_;  // the store takes nothing from them; their leases have yet to run out
  ExpiryGrace expiry_grace_;

  Mutex mutex_;
  std::vector<NodeId> living_ GUARDED_BY(mutex_);  // this node among them
  std::set<NodeId> leaving_ GUARDED_BY(mutex_);    // on the membership list still

  // Of Place.
  std::map<PartitionId, PartitionStatistics> statistics_;  // the rate smoothed
  std::map<PartitionId, Micros> moved_;
};

}  // namespace orrery::cluster
