// A SnapshotTransaction reads and writes items of any containers and partitions that are open on
// this node: it sees the state of its start with its own writes on top, and what it writes is seen
// by others all at once, after Commit, or never (docs/decisions/0038).
//
// It differs from a TransactionView, which is for scripts in one logical partition, in that it has
// engine snapshots, and that whole queries run in it: through gateway(), a Gateway like any other.
//
// The first transaction that writes an item or a unique key has it to its end. One that comes
// second, or meets what was stored after its start, has failed: it can only be aborted, and its
// failure() says how. A write outside waits meanwhile.
//
// One statement at a time; a statement may read on several threads. Calls block.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/request_units.h"
#include "base/status.h"
#include "cluster/hosted_partition.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/gateway.h"
#include "gateway/snapshot/transaction_writes.h"
#include "item/write/ledger.h"
#include "item/write/transaction.h"
#include "partition/private_writer.h"
#include "partition/reservations.h"
#include "storage/engine/read_view.h"

namespace orrery::gateway {

class TransactionCoordinator;

class SnapshotTransaction {
 public:
  // What it keeps in memory of its own writes, at most.
  static constexpr size_t kBytesMax = size_t{64} << 20;

  enum class Failure : uint8_t {
    kNone,
    kConflict,     // another was faster: run it again
    kUnavailable,  // the state of the start cannot be shown any more: run it again
    kTooLarge,
    kElsewhere,  // it would need a partition of another node
  };

  ~SnapshotTransaction();
  SnapshotTransaction(const SnapshotTransaction&) = delete;
  SnapshotTransaction& operator=(const SnapshotTransaction&) = delete;

  // Reads and writes in the transaction. Lives as long as it.
  Gateway& gateway() { return *gateway_; }
  // The moment whose state it shows.
  Micros start() const { return start_; }
  Failure failure() const { return failure_.load(std::memory_order_acquire); }
  bool has_written() const { return !writes_.empty(); }

  // Makes its writes durable and visible, with a receipt of that name and bytes beside them if
  // something was written. Once. After an error nothing was changed, but after kUnavailable the
  // outcome is not known yet: TransactionCoordinator::HasReceipt will tell.
  Status Commit(std::string_view receipt, std::string_view bytes);
  // Returns whether nothing is left to do: after Commit, and later after its kUnavailable.
  bool is_settled() const;
  // Ends it without a trace. Nothing to do after Commit.
  void Abort();

  // Of the commit.
  RequestUnits charge() const { return charge_; }

  // For the Gateway.
  // What it sees of a partition.
  Result<storage::ReadView> ViewOf(cluster::HostedPartition& partition,
                                   const ContainerEntry& container) EXCLUDES(mutex_);
  // Evaluates a write on top of what it sees.
  Status Evaluate(cluster::HostedPartition& partition, const ContainerEntry& container,
                  item::Transaction& transaction) EXCLUDES(mutex_);
  // That another node would be needed.
  std::unexpected<Error> Elsewhere();

 private:
  friend class TransactionCoordinator;

  struct Part {
    std::shared_ptr<cluster::HostedPartition> partition;
    std::unique_ptr<storage::Snapshot> snapshot;
    storage::Overlay overlay;
    // Made when something is written.
    std::unique_ptr<item::Ledger> ledger;
    std::unique_ptr<partition::PrivateWriter> writer;

    storage::ReadView view() const { return {partition->engine(), *snapshot, &overlay}; }
  };
  using PartMap = std::unordered_map<PartitionId, std::unique_ptr<Part>>;

  SnapshotTransaction(TransactionCoordinator& coordinator, const Gateway& gateway,
                      partition::Reservations::Holder holder);

  // Notes that it is over; false: it was before.
  bool Leave();
  std::unexpected<Error> FailAs(Failure failure, std::string text);
  Result<Part*> PartOf(cluster::HostedPartition& partition) EXCLUDES(mutex_);
  // Fails when the container's settings have changed since the start, or since they were used.
  Status CheckContainer(const ContainerEntry& container) EXCLUDES(mutex_);
  Status ReserveWritten(Part& part);
  // Whether the newest stored version of a record or unique key is the one that is seen.
  Result<bool> IsNewest(const Part& part, std::string_view key) const;

  TransactionCoordinator& coordinator_;
  const partition::Reservations::Holder holder_;
  std::unique_ptr<Gateway> gateway_;
  Micros start_{0};
  std::shared_ptr<const CatalogSnapshot> catalog_;  // of the start
  std::atomic<Failure> failure_ = Failure::kNone;
  std::atomic<bool> ended_ = false;

  Mutex mutex_;
  PartMap parts_ GUARDED_BY(mutex_);
  std::map<ContainerId, std::shared_ptr<const item::ContainerSchema>> schemas_ GUARDED_BY(mutex_);

  // Of the statement that runs.
  std::unordered_set<std::string> reserved_;
  std::unordered_set<std::string> written_;  // keys of records
  TransactionWrites writes_;
  uint64_t provisional_ = 0;  // LSNs given to its own writes
  size_t bytes_ = 0;          // of writes and overlays
  RequestUnits charge_;
};

}  // namespace orrery::gateway
