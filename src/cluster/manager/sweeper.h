// The Sweeper removes what crashes have left in a cluster's store and nobody will ever come back
// for: the directories of partitions that no record names, and objects that nothing refers to
// (storage/rados/directory/garbage.h). It runs on the manager.
//
// A partition without a record was dropped or replaced while its owner was dead, or is what an
// interrupted create, split or merge has left; or somebody is about to record it. Its directory is
// removed when none of the latter can be:
//  - It is not the first time that it is seen: whoever drops a partition removes its files, too.
//  - Its id is never given again: a higher one was taken and is recorded as taken. So whoever may
//    still record it has the id already, from a manager of this term or of one before.
//  - With an id of an earlier term nothing can be recorded (cluster_system.h).
//  - Every node on the membership list follows this manager and says that it neither uses nor makes
//  the
//    partition (Node::InUse). Others were struck off: their changes are refused, by the manager and
//    by the store.
//  - There is still no record after all have answered.
//
// Should the sweeper have lost the lead without knowing, the store refuses it as it does every
// former owner, or what it removes was garbage already.
//
// Sweep() from one thread. The parts must outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "cluster/member/membership_list.h"
#include "cluster/node.h"
#include "cluster/peers.h"
#include "cluster/system/cluster_system.h"
#include "storage/rados/rados_file_system.h"
#include "storage/resources.h"

namespace orrery::cluster {

struct SweeperOptions {
  // Between the first sight of a directory that no record names and its removal.
  std::chrono::seconds patience{60};
  // In one sweep; the rest has its turn in the next.
  size_t directories_per_sweep = 64;
  size_t objects_per_sweep = 2'000;
};

class Sweeper {
 public:
  struct Parts {
    NodeId self;
    MembershipList& membership_list;
    ClusterSystem& system;
    Peers& peers;
    Node& node;
    storage::EngineResources& resources;
    storage::rados::RadosFileSystem& files;
    const Clock& clock;
    MetricsRegistry* metrics = nullptr;  // may be null
  };
  Sweeper(Parts parts, SweeperOptions options);

  // A bounded part of the work; the next call goes on. What fails is tried again then.
  Status Sweep();

  // Returns whether the last sweep has ended a pass over all objects.
  bool ended_pass() const { return ended_pass_; }

 private:
  // By id: the names of directories that no record names now.
  using Unnamed = std::map<PartitionId, std::vector<std::string>>;

  Status SweepDirectories();
  Status SweepObjects();
  Result<Unnamed> FindUnnamed() const;
  // Of those, whose patience is over.
  std::vector<PartitionId> Ripe(const Unnamed& unnamed);
  // None of `ids` is given to anybody from the return on, by this or any later manager.
  Status RetireIds(const std::vector<PartitionId>& ids);
  // Returns which of them are used or being made somewhere. An error when a node that may do so did
  // not answer.
  Result<std::set<PartitionId>> AskWhoUses(const std::vector<PartitionId>& ids);
  Result<bool> HasRecord(PartitionId id) const;

  const Parts parts_;
  const SweeperOptions options_;
  const std::unique_ptr<storage::rados::GarbageSweep> garbage_;

  uint64_t term_ = 0;  // of the sightings
  std::map<PartitionId, Micros> first_seen_;
  bool ended_pass_ = false;

  // Owned by the registry; null without one.
  Counter* directories_removed_ = nullptr;
  Counter* objects_removed_ = nullptr;
};

}  // namespace orrery::cluster
