// A Node is this process as a home of physical partitions: it opens them, publishes who has what,
// creates, splits, merges and drops them, and does their maintenance.
//
// Every change of the topology is one commit of the system store, together with whatever the
// catalog changes with it. Files that no committed record names are garbage and go at the next
// start, in a cluster by its manager (manager/sweeper.h); so a crash at any step leaves either the
// old partitions or the new, never both or neither.
//
// Thread-safe. Stop() before destruction ends the maintenance and retires all sequencers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/hosted_partition.h"
#include "cluster/record/partition_record.h"
#include "cluster/system/system_store.h"
#include "cluster/throughput_owner.h"
#include "cluster/topology.h"
#include "item/container_schema.h"
#include "partition/rate/throughput.h"
#include "partition/split_planner.h"

namespace orrery::storage {
class Ballast;
}

namespace orrery::cluster {

class TopologyObserver;

struct NodeOptions {
  // This node's id in its cluster: it opens the partitions that are recorded as its own
  // (ownership_record.h). 0: a single machine, which opens all.
  NodeId self{};
  std::string data_directory;  // partitions live in <data_directory>/partitions/<id>
  partition::Limits limits;
  // More partitions than this are not made for containers; splits may go a quarter beyond. Every
  // one has files open. 0: as many as are wanted.
  size_t partitions_max = 0;
  size_t background_threads = 2;  // splits, trims, sweeps
  // With less than this free on the disk only reads and deletes are taken.
  uint64_t disk_reserve_bytes = 64 << 20;
  storage::Ballast* ballast = nullptr;   // may be null; must outlive the node
  MetricsRegistry* metrics = nullptr;    // may be null; must outlive the node
  TopologyObserver* observer = nullptr;  // may be null; must outlive the node
};

// Tells the item layer's view of a container; injected by the gateway, which owns the catalog.
using SchemaSource = std::function<std::shared_ptr<const item::ContainerSchema>(ContainerId)>;

// The changes of partitions that a change of containers needs. Applied in one commit.
struct TopologyChange {
  struct NewPartition {
    ThroughputOwner throughput_owner;
    std::vector<Slice> slices;
  };
  std::vector<NewPartition> create;
  std::vector<std::pair<PartitionId, Slice>> add_slices;  // to partitions that exist
  std::vector<ContainerId> drop_containers;               // their slices, everywhere
  std::vector<ThroughputOwner> drop_throughput_owners;    // their partitions, with all slices
};

struct SplitResult {
  std::vector<PartitionId> children;
  Micros pause{0};  // how long writers waited
};

class Node {
 public:
  // Opens every recorded partition that is its own; a single machine also removes leftovers of
  // interrupted changes. `system`, `clock` and the parts must outlive the node.
  static Result<std::unique_ptr<Node>> Open(
      NodeOptions options, HostParts parts, SystemStore& system, SchemaSource schemas,
      std::map<ThroughputOwner, partition::ThroughputSettings> throughput);
  ~Node();

  // The picture now; hold it for one request. Lock-free.
  std::shared_ptr<const Topology> topology() const;

  // Creates, extends and drops partitions together with the catalog's own writes in `change`.
  // On an error nothing has changed.
  Status Apply(const TopologyChange& topology_change, SystemStore::Change change);

  // A shared pool partition for one more slice: the one with the fewest. Makes the first when
  // needed.
  Result<PartitionId> SharedPoolPartition();

  // The rate of an owner from now on, spread evenly over its partitions. nullopt: unmetered.
  // More than they can carry starts splits in the background.
  void SetThroughput(ThroughputOwner throughput_owner,
                     std::optional<partition::ThroughputSettings> settings);

  // Splits at `cut`, or where about half of the bytes lie on each side. kNotFound for an unknown
  // partition, kPreconditionFailed when it cannot be split (all of it is one logical partition, it
  // belongs to a fixed container, or another change of it is under way).
  Result<SplitResult> Split(PartitionId id, std::optional<Hash128> cut);
  // The reverse, for two neighbours of one owner (merge_record.h), in either order.
  Result<PartitionId> Merge(PartitionId left, PartitionId right);

  // The system store was changed, maybe by another node: begins to bring the topology to what it
  // says of partitions that came, went, changed or have another owner; and, if given, to the rates
  // of all owners of throughput. Never blocks.
  using Throughputs = std::map<ThroughputOwner, partition::ThroughputSettings>;
  void Reconcile(std::optional<Throughputs> throughputs = std::nullopt);
  // Hands the partition over: writes queue elsewhere, what was begun is done, its files are closed
  // when this returns, unless somebody still reads. kNotFound when it is not open here. Whoever is
  // to open it next is recorded by the caller.
  Status Release(PartitionId id);

  // Returns which of these partitions, recorded or not, this node has files of open, is making or
  // is about to make. Any other is never used here again unless it is recorded.
  std::vector<PartitionId> InUse(const std::vector<PartitionId>& ids) const;

  // One round of maintenance: reopens what a failed write has stopped, watches the disk's free
  // space, sweeps expired items, trims what splits left, drops data of deleted containers, and
  // splits what grew too large or must carry more throughput. The server calls it every second on a
  // thread of its own; tests call it directly.
  void Maintain();
  // Waits until no split, merge or trim is under way.
  void WaitForBackground();

  void Stop();

 private:
  struct Rep;
  explicit Node(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::cluster
