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
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/cluster_clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog.h"
#include "gateway/metering.h"
#include "gateway/snapshot/commit_rooms.h"
#include "gateway/snapshot/commit_run.h"
#include "gateway/snapshot/transaction_writes.h"
#include "gateway/write/routed_write.h"
#include "partition/reservations.h"

namespace orrery::gateway {

class Gateway;
class SnapshotTransaction;

class TransactionCoordinator {
 public:
  // Tries to find a moment at which all snapshots fit together.
  static constexpr int kCutsMax = 64;

  // All must outlive it.
  struct Parts {
    Catalog& catalog;
    cluster::Node& node;
    const Clock& clock;
    ClusterClock& times;
    partition::Reservations& reservations;
    MetricsRegistry& metrics;
    bool in_cluster = false;
  };
  explicit TransactionCoordinator(const Parts& parts);

  // Starts a transaction that reads and writes as `gateway` does, which must outlive it.
  // kUnavailable: try again.
  Result<std::shared_ptr<SnapshotTransaction>> Begin(const Gateway& gateway);

  // Returns whether some transaction was committed with that receipt in the last half hour. Reads
  // the receipts of all partitions that are open here: for what a restart has made forget. One at a
  // time.
  Result<bool> HasReceipt(std::string_view name, std::string_view bytes) EXCLUDES(receipts_mutex_);

  // That reads outside of transactions pass before they look at a partition.
  CommitBarrier& barrier() { return barrier_; }

  // Finds what a crash has left decided and not written, and writes it. Before anything is served.
  Status Recover();
  // Goes on with commits that could not be brought to an end. Call it every second.
  void Maintain();

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

  // Whether the snapshots that the transaction has taken are of one moment.
  Result<bool> TakeCut(SnapshotTransaction& transaction);
  void AddUnfinished(Unfinished unfinished) EXCLUDES(mutex_);
  void AddFinished(const CommitRun& run) EXCLUDES(mutex_);
  // Brings it to its end, if that can be done now.
  Status Finish(const Unfinished& unfinished);
  // Removes records, and the marks of those that were removed before.
  void RemoveFinished() EXCLUDES(mutex_);
  // Removes the entries; returns those of partitions that did not take it.
  std::vector<CommitPlace> Remove(std::vector<CommitPlace> places) const;
  CommitRun::Parts RunParts();
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

  Mutex receipts_mutex_;
  Mutex mutex_;
  std::vector<Unfinished> unfinished_ GUARDED_BY(mutex_);
  std::vector<Finished> finished_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
