// The manager of a cluster decides which node has which partition: it finds out who is alive, gives
// what the dead had to the living, and evens out what they carry (partition/placement).
//
// It runs on the node whose system store leads (cluster_system.h), one round at a time. Everything
// that it decides is a commit of the system store, so the next manager goes on where this one
// stopped.
//
// A node is dead when its lease has run out by the store's clock; then it has stopped answering by
// its own, and the store is told to take nothing from it any more before its partitions are given
// away. A node that does not follow the system store is cut off the same way, so that it does not
// hold up everybody's commits.
//
// Round from one thread; the parts must outlive it.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
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
  // A node that does not apply commits for so long is cut off.
  std::chrono::milliseconds laggard_patience{2'000};
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

  // Who is alive is found out, and partitions are given and moved accordingly. What fails is tried
  // again in the next round.
  Status Round();

 private:
  // The living, this node among them; the dead are struck off.
  Result<std::vector<NodeId>> FindLiving();
  Status StrikeOff(const NodeCard& card);
  void AskForFigures(const std::vector<NodeId>& living);
  Result<partition::PlacementPlan> Plan(const std::vector<NodeId>& living) const;
  Status TakeOver(const std::vector<partition::OwnerChange>& changes);
  Status Move(const partition::OwnerChange& change);

  const Parts parts_;
  const ManagerOptions options_;
  std::set<NodeId> cut_off_;  // the store takes nothing from them; their leases have yet to run out
  std::map<PartitionId, PartitionFigures> figures_;  // the rate smoothed
  std::map<PartitionId, Micros> moved_;
};

}  // namespace orrery::cluster
