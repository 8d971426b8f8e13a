// A SnapshotTransaction reads and writes items of any containers and partitions: it sees the state
// of its start with its own writes on top, and what it writes is seen by others all at once, after
// Commit, or never (docs/decisions/0038).
//
// It differs from a TransactionView, which is for scripts in one logical partition, in that it has
// engine snapshots, and that whole queries run in it: through gateway(), a Gateway like any other.
//
// The first transaction that writes an item or a unique key has it to its end. One that comes
// second, or meets what was stored after its start, has failed: it can only be aborted, and its
// failure() says how. A write outside waits meanwhile.
//
// On a cluster it has a branch at each of the other nodes, which is a SnapshotTransaction there of
// the same moment; its gateway asks them for what is not open here (transaction_link.h).
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
#include "cluster/topology.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/gateway.h"
#include "gateway/snapshot/transaction_link.h"
#include "gateway/snapshot/transaction_writes.h"
#include "item/write/ledger.h"
#include "item/write/transaction.h"
#include "partition/private_writer.h"
#include "partition/reservations.h"
#include "storage/engine/read_view.h"

namespace orrery::gateway {

class RemoteGateway;
struct PrepareAnswer;
class TransactionCoordinator;

class SnapshotTransaction {
 public:
  // The most that it keeps in memory of its own writes.
  static constexpr size_t kBytesMax = size_t{64} << 20;

  using Failure = TransactionFailure;

  ~SnapshotTransaction();
  SnapshotTransaction(const SnapshotTransaction&) = delete;
  SnapshotTransaction& operator=(const SnapshotTransaction&) = delete;

  // Reads and writes in the transaction. Lives as long as it.
  Gateway& gateway() { return *gateway_; }
  // Its name among the nodes of a cluster. REQUIRES: there is one.
  const TransactionId& id() const { return link_->id(); }
  // The moment whose state it shows.
  Micros start() const { return start_; }
  Failure failure() const {
    const Failure failure = failure_.load(std::memory_order_acquire);
    return failure == Failure::kNone && link_ != nullptr ? link_->failure() : failure;
  }

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
  // Returns the state of a partition that it sees.
  Result<storage::ReadView> ViewOf(cluster::HostedPartition& partition,
                                   const ContainerEntry& container) EXCLUDES(mutex_);
  // Evaluates a write on top of what it sees.
  Status Evaluate(cluster::HostedPartition& partition, const ContainerEntry& container,
                  item::Transaction& transaction) EXCLUDES(mutex_);
  // That another node would be needed.
  std::unexpected<Error> Elsewhere();
  // By which it asks its branches at other nodes; null: it has none.
  RemoteGateway* remote() const { return remote_.get(); }

 private:
  friend class TransactionCoordinator;

  struct Part {
    std::shared_ptr<cluster::HostedPartition> partition;
    std::unique_ptr<storage::Snapshot> snapshot;
    storage::Overlay overlay;
    // Made when something is written.
    std::unique_ptr<item::Ledger> ledger;
    std::unique_ptr<partition::PrivateWriter> writer;
    // Of a cluster: whether what was in doubt in the snapshot has been laid over it, and the keys
    // of that.
    bool is_settled = false;
    std::unordered_set<std::string> settled_keys;

    storage::ReadView view() const { return {partition->engine(), *snapshot, &overlay}; }
  };
  using PartMap = std::unordered_map<PartitionId, std::unique_ptr<Part>>;

  // `link` is null on a single machine; a branch has none to others.
  SnapshotTransaction(TransactionCoordinator& coordinator, const Gateway& gateway,
                      partition::Reservations::Holder holder, std::shared_ptr<TransactionLink> link,
                      bool is_branch);

  // Notes that it is over; false: it was before.
  bool Leave();
  std::unexpected<Error> FailAs(Failure failure, std::string text);
  Result<Part*> PartOf(cluster::HostedPartition& partition) EXCLUDES(mutex_);
  void OpenWriter(Part& part) const;
  // Lays commits over the snapshot of a partition that are before the start and not written there
  // yet. Waits for their outcomes.
  Status Settle(Part& part) REQUIRES(mutex_);
  // Returns whether all that it has written here is in one partition.
  bool IsOfOnePartition() const;
  // Has what it has written here stored and reserved, until the outcome of the commit is known.
  PrepareAnswer Prepare(uint64_t number, const LogicalPlace& decision);
  // Fails when the container's settings have changed since the start, or since they were used.
  Status CheckContainer(const ContainerEntry& container) EXCLUDES(mutex_);
  // Commits what one branch has written, and nobody else.
  // nullopt: it has several partitions, and is as it was.
  std::optional<Status> CommitAt(NodeId node, std::string_view receipt, std::string_view bytes);
  Status CommitHere(std::string_view receipt, std::string_view bytes);
  Status ReserveWritten(Part& part);
  // Returns whether the newest stored version of a record or unique key is the one that is seen.
  Result<bool> IsNewest(const Part& part, std::string_view key) const;

  TransactionCoordinator& coordinator_;
  const partition::Reservations::Holder holder_;
  const bool is_branch_;
  const std::shared_ptr<TransactionLink> link_;  // null on a single machine
  std::unique_ptr<RemoteGateway> remote_;
  std::unique_ptr<Gateway> gateway_;
  Micros start_{0};
  std::shared_ptr<const CatalogSnapshot> catalog_;     // of the start
  std::shared_ptr<const cluster::Topology> topology_;  // of the start
  std::atomic<Failure> failure_ = Failure::kNone;
  std::atomic<bool> ended_ = false;
  // Until when it is not known what came of a commit at another node; 0: it is.
  std::atomic<int64_t> unknown_until_ = 0;
  std::atomic<bool> undecided_ = false;  // its commit may be, see TransactionCoordinator

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
