// The Forwarder brings encoded requests to whoever has their partition open, wherever that is by
// now: the one place that decides what is asked again and what is not.
//
// An owner that says kMoved has done nothing, and a partition without an owner will get one: both
// are tried again by the newest topology and catalog, for a bounded time (retry_budget.h). An
// answer that was lost is asked for again only of requests that may be made twice; else the outcome
// is unknown and said to be. Everything else that an owner answers is passed on as it is.
//
// Thread-safe. WaitUntilIdle() before what it was given goes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/node.h"
#include "cluster/peers.h"
#include "gateway/catalog/catalog.h"
#include "gateway/remote/retry_budget.h"
#include "gateway/remote/timer_queue.h"
#include "gateway/snapshot/transaction_link.h"

namespace orrery::gateway {

// A request of one method to the partition that has `hash`.
struct ForwardedRequest {
  ContainerRef container;
  Hash128 hash;
  cluster::PeerMethod method;
  std::string body;
  bool repeatable = false;  // making it twice does no harm
  // The transaction that it is a part of; null: none.
  std::shared_ptr<TransactionLink> within = nullptr;
};

class Forwarder {
 public:
  // For an answer of one owner; then it counts as lost.
  static constexpr std::chrono::seconds kPatience{10};

  // All must outlive it.
  struct Parts {
    const Catalog& catalog;
    const cluster::Node& node;
    cluster::Peers& peers;
    const Clock& clock;
    TimerQueue& timers;
  };
  explicit Forwarder(const Parts& parts) : parts_(parts) {}

  // Sets the service that runs requests for partitions that turn out to be open here by now: the
  // same as for other nodes (remote_service.h). Once, before the first request; must outlive it.
  void Connect(cluster::PeerService& here) { here_ = &here; }

  // `done` is called exactly once, from any thread or before this returns, with the body of the
  // answer. kNotFound when the container was dropped, kUnavailable when no owner was found in time
  // or the outcome is unknown, kCorruption when the partition cannot be opened; else the owner's
  // error. It must not block.
  using Done = std::move_only_function<void(Result<std::string>)>;
  void Send(ForwardedRequest request, Done done) EXCLUDES(mutex_);
  // Blocks: never on an event loop.
  Result<std::string> SendAndWait(ForwardedRequest request);

  // One try, of a partition's owner, for what may be asked twice. kMoved when it was not to be had
  // there: look at the topology anew. Blocks.
  Result<std::string> Ask(const cluster::RemotePartition& partition,
                          const ContainerEntry& container, cluster::PeerMethod method,
                          std::string_view body, std::chrono::milliseconds patience = kPatience,
                          const std::shared_ptr<TransactionLink>& within = nullptr);
  // Does the same without blocking; `done` as of Send().
  void Ask(const cluster::RemotePartition& partition, const ContainerEntry& container,
           cluster::PeerMethod method, std::string_view body, std::chrono::milliseconds patience,
           Done done, const std::shared_ptr<TransactionLink>& within = nullptr);
  // Waits before that look; kUnavailable when the budget is used up. Blocks.
  Status Pause(RetryBudget& budget);

  // Calls `task` after about `delay`. False: never, because all is ending or too many wait.
  [[nodiscard]] bool RunLater(std::chrono::milliseconds delay, TimerQueue::Task task) {
    return parts_.timers.Run(delay, std::move(task));
  }

  // Waits for all that is on its way. REQUIRES: `timers` runs nothing more; nothing is sent.
  void WaitUntilIdle() EXCLUDES(mutex_);

 private:
  class Flight;
  void End() EXCLUDES(mutex_);

  const Parts parts_;
  cluster::PeerService* here_ = nullptr;
  Mutex mutex_;
  CondVar idle_;
  size_t flights_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::gateway
