// Takes entries whose derived writes have arrived out of the outbox, many with one write each.
//
// Nobody waits for a removal: an entry that is found again after a crash is delivered once more,
// which changes nothing. So removals gather until there are enough, or until Flush.
//
// Thread-safe. Must outlive the removals that it has submitted: WaitUntilIdle, or stop the node.
#pragma once

#include <functional>
#include <vector>

#include "base/mutex.h"
#include "cluster/node.h"
#include "item/outbox/outbox.h"

namespace orrery::gateway {

class OutboxRemovals {
 public:
  static constexpr size_t kGatheredMax = 64;

  // Told of entries that could not be removed; from any thread, must not block.
  using Left = std::function<void(const item::OutboxPlace& place)>;

  // `node` must outlive it.
  OutboxRemovals(const cluster::Node& node, Left left) : node_(node), left_(std::move(left)) {}

  void Add(const item::OutboxPlace& place) EXCLUDES(mutex_);
  // Submits what has gathered.
  void Flush() EXCLUDES(mutex_);
  // Waits for all that was submitted.
  void WaitUntilIdle() EXCLUDES(mutex_);

 private:
  void Submit(const std::vector<item::OutboxPlace>& places) EXCLUDES(mutex_);
  void End(const std::vector<item::OutboxPlace>& places, const Status& status) EXCLUDES(mutex_);

  const cluster::Node& node_;
  const Left left_;
  Mutex mutex_;
  CondVar idle_;
  std::vector<item::OutboxPlace> gathered_ GUARDED_BY(mutex_);
  size_t submitted_ GUARDED_BY(mutex_) = 0;  // mutations that have not ended
};

}  // namespace orrery::gateway
