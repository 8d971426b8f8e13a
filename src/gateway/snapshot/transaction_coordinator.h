// The TransactionCoordinator starts transactions (snapshot_transaction.h) and brings their commits
// to an end, also those that a crash or a failed write has left half-way: a commit record that is
// stored has been decided, and its writes are made whenever its partitions take them.
//
//   commit record := the key CommitRun::RecordPlace() -> TransactionWrites::Encode()
//   mark          := the keys CommitRun::MarkPlaces() -> nothing
//
// Marks are removed after their record, many at once: a mark without a record says nothing.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/cluster_clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "cluster/peers.h"
#include "gateway/catalog/catalog.h"
#include "gateway/metering.h"
#include "gateway/remote/codec/commit_codec.h"
#include "gateway/remote/codec/transaction_codec.h"
#include "gateway/snapshot/branch_table.h"
#include "gateway/snapshot/commit_rooms.h"
#include "gateway/snapshot/commit_run.h"
#include "gateway/snapshot/prepared_table.h"
#include "gateway/snapshot/transaction_link.h"
#include "gateway/snapshot/transaction_writes.h"
#include "gateway/write/routed_write.h"
#include "partition/reservations.h"

namespace orrery::gateway {

class Gateway;
class RemoteGateway;
class SnapshotTransaction;

class TransactionCoordinator {
 public:
  // Tries to find a moment at which all snapshots fit together.
  static constexpr int kCutsMax = 64;
  // For an answer of another node.
  static constexpr std::chrono::seconds kPatience{10};
  // For its answer to the start of a transaction; then it is not asked for a while.
  static constexpr std::chrono::seconds kBeginPatience{2};
  static constexpr Micros kSilence = std::chrono::seconds(2);
  // The time that a commit is in doubt before its decision is asked for.
  static constexpr Micros kDoubtMax = std::chrono::seconds(5);
  static constexpr Micros kReceiptLifetime = std::chrono::minutes(30);
  // The time that branches stay whose node cannot be asked for them.
  static constexpr Micros kUnheardMax = std::chrono::seconds(5);

  // All must outlive it.
  struct Parts {
    Catalog& catalog;
    cluster::Node& node;
    const Clock& clock;
    ClusterClock& times;
    partition::Reservations& reservations;
    PreparedTable& prepared;
    MetricsRegistry& metrics;
    // Of a cluster; null and 0 on a single machine.
    cluster::Peers* peers = nullptr;
    const RemoteGateway* remote = nullptr;
    NodeId self{};
  };
  explicit TransactionCoordinator(const Parts& parts);

  // Starts a transaction that reads and writes as `gateway` does, which must outlive it.
  // kUnavailable: try again.
  Result<std::shared_ptr<SnapshotTransaction>> Begin(const Gateway& gateway);

  // Returns whether some transaction was committed with that receipt in the last half hour. Reads
  // the receipts of all partitions, here and at other nodes: for what a restart has made forget.
  // kUnavailable when it was not found and some partition could not be asked. One at a time.
  Result<bool> HasReceipt(std::string_view name, std::string_view bytes) EXCLUDES(receipts_mutex_);

  // The other side, for nodes that ask this one to take part in their transactions.
  // Returns whether a method is one of those that Serve answers.
  static bool Offers(cluster::PeerMethod method);
  // Answers it. Branches read and write as `gateway` does. Blocks, but never for other nodes.
  Result<std::string> Serve(const Gateway& gateway, cluster::PeerMethod method,
                            std::string_view body);
  // Null: no such branch is here.
  std::shared_ptr<Branch> FindBranch(const TransactionId& id) const { return branches_.Find(id); }

  // That reads outside of transactions pass before they look at a partition.
  CommitBarrier& barrier() { return barrier_; }

  // Finds what a crash has left decided and not written, and writes it. Before anything is served.
  Status Recover();
  // Goes on with commits that could not be brought to an end. Call it every second.
  void Maintain();
  // Runs the part of Maintain that may wait for other nodes, in the background on a cluster. One at
  // a time.
  void MaintainOverNodes() EXCLUDES(jobs_mutex_);
  // Ends that. Idempotent.
  void Stop();

  // Commits that are in doubt here, which reads outside of transactions wait for.
  PreparedTable& prepared() const { return parts_.prepared; }
  // Steps of commits, for other nodes, on a partition that is open here: kMoved else.
  Result<CommitOutcome> DecideHere(ContainerId container, const DecideRequest& request);
  Result<std::vector<LogicalPlace>> ServeResolve(ContainerId container,
                                                 const ResolveRequest& request);

 private:
  friend class SnapshotTransaction;

  // Decided, or not known to be: its items stay reserved until that is settled.
  struct Unfinished {
    TransactionWrites writes;
    uint64_t number = 0;
    partition::Reservations::Holder holder = 0;
  };
  // Written, with what is to be removed: the record, then the marks.
  struct Finished {
    std::optional<CommitPlace> record;
    std::vector<CommitPlace> marks;
  };

  // Takes snapshots of what is open here. Returns whether nothing in them is later than `start`.
  Result<bool> TakeCut(SnapshotTransaction& transaction, Micros start);
  // The same at all nodes that have partitions, after all of them know of the moment.
  Result<bool> TakeCutOverNodes(SnapshotTransaction& transaction);
  // Asks nodes at once. Those that do not answer are not asked again for a while, and not in the
  // result.
  std::map<NodeId, BranchBegun> AskToBegin(const std::set<NodeId>& nodes, const BranchBegin& begin,
                                           const std::function<void()>& meanwhile)
      EXCLUDES(silent_mutex_);
  std::set<NodeId> AwakeOwners(const cluster::Topology& topology) EXCLUDES(silent_mutex_);
  // kMoved: it was not asked. kUnavailable: the outcome is unknown.
  Result<BranchEnded> AskToCommit(NodeId node, const TransactionId& id, std::string receipt,
                                  std::string value);
  void EndBranches(const TransactionLink& link) const;
  // Ends branches of transactions that the nodes that began them do not know any more.
  void EndForgottenBranches() EXCLUDES(silent_mutex_);

  // Notes that a transaction that began here has ended.
  void Forget(const TransactionId& id) EXCLUDES(own_mutex_) {
    MutexLock lock(own_mutex_);
    own_.erase(id.number);
  }

  // A Job is what is left to do for a commit of this node: to learn the outcome, to have it carried
  // out, to have the decision forgotten.
  struct Job {
    uint64_t number = 0;
    LogicalPlace decision;
    std::optional<CommitOutcome> outcome;
    std::vector<LogicalPlace> places;  // where it is not carried out yet
  };
  // Commits what a transaction has written to several partitions. After kUnavailable the outcome
  // may be unknown (IsUndecided).
  Status CommitOverNodes(SnapshotTransaction& transaction, std::string_view receipt,
                         std::string_view value);
  Result<CommitOutcome> AskForDecision(const DecideRequest& request, ContainerId container) const;
  PrepareAnswer ServePrepare(const PrepareRequest& request);
  // Carries an outcome out at all places here. Returns them.
  Result<std::vector<LogicalPlace>> ResolveHere(uint64_t number, const CommitOutcome& outcome);
  // Has it carried out everywhere, and takes away the places where that is done.
  Status ResolveAll(Job& job);
  void AddJob(Job job) EXCLUDES(jobs_mutex_);
  bool IsUndecided(uint64_t number) const EXCLUDES(jobs_mutex_);
  Status RunJob(Job& job);
  void Forget(const Job& job) const;
  // Asks for the decision of a commit that has been in doubt here for long.
  void ResolveDoubt(const PreparedTable::Doubt& doubt);

  BranchBegun ServeBegin(const Gateway& gateway, const BranchBegin& begin);
  BranchEnded ServeEnd(const BranchEnd& end);
  Result<ReceiptAnswer> FindReceiptHere(const ReceiptQuestion& question) EXCLUDES(receipts_mutex_);
  std::vector<uint64_t> TellOpen(const std::vector<uint64_t>& numbers) EXCLUDES(own_mutex_);
  void AddUnfinished(Unfinished unfinished) EXCLUDES(mutex_);
  void AddFinished(const CommitRun& run) EXCLUDES(mutex_);
  // Brings it to its end, if that can be done now.
  Status Finish(const Unfinished& unfinished);
  // Removes records, and the marks of those that were removed before.
  void RemoveFinished() EXCLUDES(mutex_);
  // Removes the entries; returns those of partitions that did not take it.
  std::vector<CommitPlace> Remove(std::vector<CommitPlace> places) const;
  CommitRun::Parts RunParts();
  // One that no node has given before, of transactions of a cluster and their commits.
  uint64_t NewClusterNumber() {
    constexpr int kNodeBits = 12;
    return static_cast<uint64_t>(parts_.times.Next().count()) << kNodeBits |
           parts_.self.value() % (uint64_t{1} << kNodeBits);
  }
  // Even, and greater than all before, also before a restart.
  uint64_t NewNumber() { return static_cast<uint64_t>(parts_.times.Next().count()) * 2; }
  partition::Reservations::Holder NewHolder() { return holders_.fetch_add(1) + 1; }

  const Parts parts_;
  const Metering metering_;
  const WriteRouter router_;
  CommitRooms rooms_;
  CommitBarrier barrier_;
  std::atomic<uint64_t> holders_{0};
  Gauge& open_;
  Counter& cuts_repeated_;

  BranchTable branches_;
  Mutex silent_mutex_;
  std::map<NodeId, Micros> silent_until_ GUARDED_BY(silent_mutex_);
  // Since when a node that began transactions could not be asked for them.
  std::map<NodeId, Micros> unheard_since_ GUARDED_BY(silent_mutex_);
  mutable Mutex jobs_mutex_;
  std::vector<Job> jobs_ GUARDED_BY(jobs_mutex_);
  std::atomic<bool> maintains_ = false;
  std::unique_ptr<ThreadPool> background_;  // of a cluster
  Mutex own_mutex_;
  std::set<uint64_t> own_ GUARDED_BY(own_mutex_);  // numbers of transactions that began here

  Mutex receipts_mutex_;
  Mutex mutex_;
  std::vector<Unfinished> unfinished_ GUARDED_BY(mutex_);
  std::vector<Finished> finished_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
