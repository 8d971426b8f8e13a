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
// Watch and Place from one thread each, both every second or so: what Place commits may have to
// wait for a node that only Watch can cut off. The parts must outlive it.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/member/roster.h"
#include "cluster/node.h"
#include "cluster/partition_figures.h"
#include "cluster/peers.h"
#include "cluster/system/cluster_system.h"
#include "partition/placement/placement_facts.h"
#include "storage/rados/object_store.h"

namespace orrery::cluster {

struct ManagerOptions {
  // A node that does not apply a commit for so long is cut off. It may have to wait for writes that
  // are under way.
  std::chrono::milliseconds laggard_patience{12'000};
  // Planned hand-overs in one round.
  size_t moves_per_round = 4;
  // A partition that moved is let alone for so long.
  std::chrono::seconds settling{30};
  partition::PlacementOptions placement{};
};

class Manager {
 public:
  struct Parts {
    NodeId self;
    storage::rados::ObjectStore& store;
    Roster& roster;
    ClusterSystem& system;
    Peers& peers;
    Node& node;
    const Clock& clock;
  };
  Manager(Parts parts, ManagerOptions options) : parts_(parts), options_(options) {}

  // Finds out who is alive, and strikes the dead off.
  Status Watch() EXCLUDES(mutex_);
  // Gives partitions to those that Watch found alive, and moves some between them. What fails is
  // tried again the next time.
  Status Place() EXCLUDES(mutex_);

 private:
  Status StrikeOff(const NodeCard& card);
  void AskForFigures(const std::vector<NodeId>& living);
  Result<partition::PlacementPlan> Plan(const std::vector<NodeId>& living) const;
  Status TakeOver(const std::vector<partition::OwnerChange>& changes);
  Status Move(const partition::OwnerChange& change);

  const Parts parts_;
  const ManagerOptions options_;

  // Of Watch.
  std::set<NodeId> cut_off_;  // the store takes nothing from them; their leases have yet to run out

  Mutex mutex_;
  std::vector<NodeId> living_ GUARDED_BY(mutex_);  // this node among them

  // Of Place.
  std::map<PartitionId, PartitionFigures> figures_;  // the rate smoothed
  std::map<PartitionId, Micros> moved_;
};

}  // namespace orrery::cluster
