// NodeState is shared by the parts of a Node (changes, splits, merges, maintenance): the published
// topology, the rates, and which partitions are being changed right now.
//
// Internal to cluster/.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "cluster/partition_uses.h"

namespace orrery::cluster {

// From one published topology to the next. A container that is new must come with all its slices.
struct TopologyEdit {
  std::vector<std::shared_ptr<HostedPartition>> add;  // with the slices of their records
  std::vector<PartitionId> remove;
  std::vector<std::pair<PartitionId, Slice>> add_slices = {};
  std::vector<ContainerId> drop_containers = {};
  std::vector<RemotePartition> add_remote = {};
  std::vector<std::shared_ptr<const PartitionRecord>> remote_records = {};  // in place of their old
};

class NodeState {
 public:
  NodeState(NodeOptions node_options, HostParts host_parts, SystemStore& system_store,
            SchemaSource schema_source,
            std::map<ThroughputOwner, partition::ThroughputSettings> rates);

  // Returns kResourceExhausted if `more` partitions beside the `count` that there are would be more
  // than files allow, by more than `beyond`.
  Status CheckRoom(size_t count, size_t more, size_t beyond) const;

  std::string PartitionsDirectory() const { return options.data_directory + "/partitions"; }
  std::string PathOf(PartitionId id) const;

  // Opens the files of a recorded partition, or makes fresh ones. When the last user is gone it is
  // closed on a background thread.
  Result<std::shared_ptr<HostedPartition>> Open(PartitionRecord record, bool must_exist);

  // Publishes the next topology and spreads the rates anew. The change is committed already: an
  // edit that does not hold together is a bug.
  void PublishLocked(const TopologyEdit& edit) REQUIRES(change_mutex);
  void SpreadRatesLocked(const Topology& topology) REQUIRES(change_mutex);
  // Returns what compaction must keep of a partition, by the newest schemas.
  std::shared_ptr<const item::RetainedSlices> RetainedBy(const PartitionRecord& record) const;

  // Records that a new partition is this node's, or that a former one, whoever had it, is nobody's
  // any more.
  void RecordOwner(PartitionId id, SystemStore::Change& change) const;
  void ForgetOwner(PartitionId id, SystemStore::Change& change) const;
  // That, for a partition that others take the place of: refused unless it is this node's, as
  // another owner's writes would be missing in them.
  void ReplaceOwned(PartitionId id, SystemStore::Change& change) const;
  // An id for a partition that is to be made, of which nothing is there yet; its files are in use
  // while `Fresh` lives.
  struct Fresh {
    PartitionId id;
    PartitionUses::Use use;
  };
  Result<Fresh> NextPartition(SystemStore::Change& change);

  // Returns the span of the ring in which keys of the container can fall; the whole ring when it is
  // unknown.
  partition::HashRange UsedSpanOf(ContainerId container) const;
  // Returns the planner's input. Looking for slices that are one logical partition reads the disk.
  Result<partition::PartitionFacts> FactsOf(const HostedPartition& partition,
                                            bool look_for_sole_keys) const;
  // Of one that is not open here: without sizes.
  partition::PartitionFacts FactsOfRemote(const PartitionRecord& record) const;

  const NodeOptions options;
  const HostParts parts;
  SystemStore& system;
  const SchemaSource schemas;
  PartitionUses uses;  // of files; outlives the tasks that close them
  const std::shared_ptr<ThreadPool> background;
  Published<Topology> topology;
  std::atomic<bool> disk_low{false};  // growth is refused; see repair.h

  Mutex change_mutex;  // one change of the topology at a time
  CondVar unclaimed;
  std::map<ThroughputOwner, partition::ThroughputSettings> throughput GUARDED_BY(change_mutex);
  std::set<PartitionId> claimed GUARDED_BY(change_mutex);
  // Partitions that this node gave away: ready when their files are closed here.
  std::map<PartitionId, std::shared_future<void>> closing GUARDED_BY(change_mutex);
  // The times at which partitions were released that are still recorded as this node's: another
  // owner is about to be recorded.
  std::map<PartitionId, Micros> released GUARDED_BY(change_mutex);
  bool stopping GUARDED_BY(change_mutex) = false;
};

// Marks partitions as being split, merged or trimmed, so that nothing else changes them meanwhile.
class PartitionClaim {
 public:
  // The time that a requested change waits for maintenance of the partition.
  static constexpr std::chrono::seconds kPatience{30};

  // kPreconditionFailed when one of them is claimed, and still is when `patience` is over.
  static Result<PartitionClaim> Take(NodeState& state, std::vector<PartitionId> ids,
                                     std::chrono::seconds patience = {});
  ~PartitionClaim();
  PartitionClaim(PartitionClaim&& other) noexcept
      : state_(other.state_), ids_(std::move(other.ids_)) {
    other.ids_.clear();
  }
  PartitionClaim& operator=(PartitionClaim&&) = delete;

 private:
  PartitionClaim(NodeState& state, std::vector<PartitionId> ids)
      : state_(state), ids_(std::move(ids)) {}
  NodeState& state_;
  std::vector<PartitionId> ids_;
};

// The planner's name for whoever pays; 0 for the shared pool.
ThroughputOwnerId OwnerIdOf(ThroughputOwner throughput_owner);

// Marks that a partition still holds what a split gave to its sibling.
//   "tr/" id:uint64 -> ""
std::string TrimKey(PartitionId id);
inline constexpr std::string_view kTrimPrefix = "tr/";

// recovery.cc: the list of partitions and who has them.
struct RecordedPartition {
  PartitionRecord record;
  NodeId owner;  // 0: nobody, or a single machine
};
Result<std::vector<RecordedPartition>> LoadRecordedPartitions(const SystemStore& system);

// reconcile.cc
// Returns what is shown of a partition that is not open here.
RemotePartition RemotePartitionOf(const NodeState& state, NodeId owner,
                                  std::shared_ptr<const PartitionRecord> record);
Status ReconcileTopology(NodeState& state);
// Opens what is recorded as this node's and is not open yet.
Status OpenOwned(NodeState& state, PartitionId id);
// It cannot be opened: from here on requests for it are told so, instead of waiting for it.
void NoteDamage(NodeState& state, PartitionId id, const Error& why);
Status ReleasePartition(NodeState& state, PartitionId id);

// split.cc
struct SplitRequest {
  partition::SplitReason reason = partition::SplitReason::kCommand;
  std::optional<Hash128> cut = std::nullopt;  // none: where it halves the bytes, or the ring
};
Result<SplitResult> SplitPartition(NodeState& state, PartitionId id, const SplitRequest& request);
// merge.cc
Result<PartitionId> MergePartitions(NodeState& state, PartitionId left, PartitionId right);
// reopen.cc: for a partition that NeedsReopening(); returns its new id.
Result<PartitionId> ReopenPartition(NodeState& state, PartitionId id);
// trim.cc
// Counts what a partition owns that is marked for trimming, before the rest goes: that may wait for
// compactions of others. Returns the record by which it did.
Result<std::shared_ptr<const PartitionRecord>> SettlePartition(NodeState& state, PartitionId id);
// Drops what the partition's slices do not cover, and clears the mark. Settles it first, unless it
// was by the record that it has.
Status TrimPartition(NodeState& state, PartitionId id,
                     const std::shared_ptr<const PartitionRecord>& settled);

}  // namespace orrery::cluster
