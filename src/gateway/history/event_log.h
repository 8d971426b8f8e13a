// An EventLog keeps the newest events in the system store, so that they survive a restart, and
// wakes those who wait for the next.
//
// Thread-safe. Writing is one durable commit: for a background thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/system/system_store.h"
#include "gateway/history/event.h"

namespace orrery::gateway {

// An EventFilter says which events a reader wants.
struct EventFilter {
  uint64_t after = 0;  // only with a greater number
  std::optional<std::string> database{};
  std::optional<std::string> container{};
  std::optional<ContainerId> container_id{};  // of that name today
  size_t count_max = 100;

  bool Wants(const Event& event) const;
};

class EventLog {
 public:
  static constexpr size_t kEventsMax = 10'000;
  static constexpr size_t kEventBytesMax = 2 << 20;
  static constexpr size_t kWaitersMax = 256;

  // `system` must outlive it. Call Load() before anything else.
  explicit EventLog(cluster::SystemStore& system) : system_(system) {}
  // Whoever still waits is answered.
  ~EventLog();

  // Reads what is stored. Events that cannot be read are left out, and removed in their turn.
  Status Load() EXCLUDES(mutex_);
  // Shows the events that other nodes have stored since.
  Status Follow() EXCLUDES(mutex_) { return Load(); }

  // Stores the events, numbered in their order, forgets the oldest, and wakes who waits. Fills in
  // the numbers. On an error nothing is stored.
  Status Add(std::vector<Event>& events) EXCLUDES(mutex_);

  // Newest first.
  std::vector<Event> Newest(const EventFilter& filter) const EXCLUDES(mutex_);
  // The number of the newest event of all.
  uint64_t last_number() const EXCLUDES(mutex_);

  // Calls `done` once: at once if there are such events or too many wait already, else when there
  // are or at Expire() after `deadline`. It is called without locks held and must not block.
  void Await(EventFilter filter, Micros deadline, std::function<void()> done) EXCLUDES(mutex_);
  // Answers those whose time is over.
  void Expire(Micros now) EXCLUDES(mutex_);
  // Answers all; from now on nobody waits.
  void Stop() EXCLUDES(mutex_);

 private:
  struct Stored {
    Event event;
    size_t bytes;
  };
  struct Waiter {
    EventFilter filter;
    Micros deadline;
    std::function<void()> done;
  };

  void Keep(uint64_t number, std::string_view value) REQUIRES(mutex_);
  bool HasAny(const EventFilter& filter) const REQUIRES(mutex_);
  // Takes out the waiters that `is_ready` picks.
  std::vector<Waiter> Take(const std::function<bool(const Waiter&)>& is_ready) REQUIRES(mutex_);

  cluster::SystemStore& system_;
  mutable Mutex mutex_;
  std::deque<Stored> events_ GUARDED_BY(mutex_);  // oldest first
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::vector<Waiter> waiters_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::gateway
