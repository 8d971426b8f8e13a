// A WriteDispatcher brings a transaction to its partition's sequencer, again when the partition has
// split or merged meanwhile or an open transaction that was in its way has ended, and back to
// whoever sent it. When the partition has gone to another node it comes back with kMoved, and
// nothing was changed.
//
// T is item::Transaction or item::RowTransaction: with T::Request (which has hash and
// partition_key), SetLedger, request() and charge().
//
// Thread-safe. Must outlive what it carries.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/ids.h"
#include "base/status.h"
#include "base/turn_end.h"
#include "gateway/write/routed_write.h"

namespace orrery::gateway {

template <typename T>
class WriteDispatcher {
 public:
  struct Completion {
    Status status;
    std::unique_ptr<T> transaction;  // with what it found out
    PartitionId partition;           // where it ended
  };
  // Called exactly once, from any thread, after the routed write has ended; must not block.
  using Done = std::move_only_function<void(Completion)>;

  // `router` must outlive it.
  explicit WriteDispatcher(const WriteRouter& router) : router_(router) {}

  void Send(RoutedWrite routed, typename T::Request request, Done done) const {
    cluster::HostedPartition& partition = *routed.partition;
    // Held here, too: the sequencer may answer at once, which lets go of the routed write.
    const std::shared_ptr<const cluster::Topology> topology = routed.topology;
    // The routed write lives in the transaction's callback, so that it goes where the transaction
    // goes.
    auto transaction = std::make_unique<T>(
        std::move(request), [this, routed = std::move(routed), done = std::move(done)](
                                std::unique_ptr<T> self, Status status) mutable {
          Return(routed, done, std::move(self), std::move(status));
        });
    Submit(topology, partition, std::move(transaction));
  }

 private:
  // `topology` has the partition.
  static void Submit(const std::shared_ptr<const cluster::Topology>& topology,
                     cluster::HostedPartition& partition, std::unique_ptr<T> transaction) {
    transaction->SetLedger(partition.ledger());
    TurnEnd* const turn_end = TurnEnd::OfThisThread();
    if (turn_end == nullptr) {
      partition.sequencer().Submit(std::move(transaction));
    } else if (partition.sequencer().SubmitQuietly(std::move(transaction))) {
      turn_end->Add([topology, &partition] { partition.sequencer().Start(); });
    }
  }

  void Return(RoutedWrite& routed, Done& done, std::unique_ptr<T> transaction,
              Status status) const {
    if (!status.has_value() && status.error().code() == Code::kMoved) {
      // Kept until the old sequencer's call is over.
      const std::shared_ptr<const cluster::Topology> former = routed.topology;
      status = router_.Reroute(routed, transaction->request().hash);
      if (status.has_value()) {
        const std::shared_ptr<const cluster::Topology> topology = routed.topology;
        // From here on the routed write may be used, and ended, by another thread.
        return Submit(topology, *routed.partition, std::move(transaction));
      }
    }
    if constexpr (requires { transaction->blocked_by(); }) {
      if (!status.has_value() && status.error().code() == Code::kWouldBlock &&
          transaction->blocked_by() != 0) {
        status = PutAside(routed, transaction);
        if (status.has_value()) return;
      }
    }
    // A write that changed nothing (a condition did not hold) only tells what it has read.
    if (Status lease = routed.partition->CheckLease(); !lease.has_value())
      status = std::move(lease);
    router_.End(routed, transaction->request().partition_key, transaction->charge());
    const PartitionId partition = routed.partition->id();
    Done finish = std::move(done);
    finish({std::move(status), std::move(transaction), partition});
  }

  // Keeps the write until the open transaction that is in its way has ended, and submits it again.
  // kOverloaded when too many wait: then it is as it was.
  Status PutAside(const RoutedWrite& routed, std::unique_ptr<T>& transaction) const {
    const partition::Reservations::Holder holder = transaction->blocked_by();
    auto waiting = std::make_shared<std::unique_ptr<T>>(std::move(transaction));
    partition::Reservations::Resume resume = [topology = routed.topology,
                                              partition = routed.partition, waiting] {
      Submit(topology, *partition, std::move(*waiting));
    };
    switch (router_.reservations().WaitFor(holder, resume)) {
      case partition::Reservations::Wait::kWaits:
        return {};
      case partition::Reservations::Wait::kGone:
        resume();
        return {};
      case partition::Reservations::Wait::kFull:
        break;
    }
    transaction = std::move(*waiting);
    return Fail(Code::kOverloaded, "too many writes wait for open transactions; retry");
  }

  const WriteRouter& router_;
};

}  // namespace orrery::gateway
