// A FaultPlan decides which requests of clients meet a fault. Each API asks it where it is about to
// carry out a request, and answers a fault in its own form.
//
// The plan has an order: the first rule that fires counts, later ones are not asked. It decides and
// knows the time, but says nothing to clients: how "429" looks is each API's matter.
//
// Thread-safe. armed() is one load, so that a plan without rules costs nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "base/delay_queue.h"
#include "base/mutex.h"
#include "base/status.h"
#include "gateway/fault/fault_rule.h"

namespace orrery::gateway {

// A Fault is what one request meets.
struct Fault {
  FaultKind kind = FaultKind::kThrottled;
  bool after = false;
  uint32_t retry_after_ms = 0;
  std::chrono::milliseconds delay{0};
  std::optional<int32_t> code{};

  // "a fault on demand (429)", for error messages.
  std::string Text() const;
};

class FaultPlan {
 public:
  static constexpr size_t kRulesMax = 100;

  // Makes a partition slow, or as fast as it can be (0). kNotFound when it is not open here.
  using SlowDown = std::function<Status(PartitionId partition, std::chrono::milliseconds delay)>;
  explicit FaultPlan(SlowDown slow_down);

  struct Entry {
    uint64_t id = 0;
    FaultRule rule;
    uint64_t matched = 0;  // requests that it was about
    uint64_t made = 0;     // faults
  };
  // kInvalidArgument, kResourceExhausted, kNotFound of a partition.
  Result<Entry> Add(FaultRule rule) EXCLUDES(mutex_);
  Status Remove(uint64_t id) EXCLUDES(mutex_);  // kNotFound
  void Clear() EXCLUDES(mutex_);
  std::vector<Entry> List() const EXCLUDES(mutex_);

  // Returns whether there may be a fault for somebody.
  bool armed() const { return armed_.load(std::memory_order_relaxed); }
  // Returns the fault that the request meets, if any.
  std::optional<Fault> Decide(const FaultPoint& point) EXCLUDES(mutex_);

  // Runs a short task later. At once when too many wait, or the plan has stopped.
  void Later(std::chrono::milliseconds delay, DelayQueue::Task task);
  // Runs what waits at once. Idempotent.
  void Stop() { queue_.Stop(); }

 private:
  static constexpr size_t kWaitingMax = 65'536;

  void Arm() REQUIRES(mutex_);
  void Lift(const FaultRule& rule) REQUIRES(mutex_);

  const SlowDown slow_down_;
  std::atomic<bool> armed_{false};
  mutable Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);
  uint64_t next_id_ GUARDED_BY(mutex_) = 1;
  DelayQueue queue_;
};

}  // namespace orrery::gateway
