// SlowEngines holds up the reads and writes of some engines, so that users can test how their
// programs live with a slow partition. The engines of a process share one; most have none that is
// slow, which costs each call one load.
//
// Reads that may not block answer kWouldBlock instead, so event loops are never held up.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <string>

#include "base/mutex.h"
#include "storage/iterator.h"

namespace orrery::storage {

class EngineResources;

class SlowEngines {
 public:
  // The delay of each call of the engine at `path`; 0 ends it.
  void Set(const std::string& path, std::chrono::milliseconds delay) EXCLUDES(mutex_);

  bool any() const { return any_.load(std::memory_order_relaxed); }
  // Sleeps as long as a call of the engine at `path` must wait. Returns whether it may go on: false
  // for a slow engine's read that may not block, which did not sleep.
  bool HoldUp(const std::string& path, ReadMode mode) const EXCLUDES(mutex_);

 private:
  std::atomic<bool> any_{false};
  mutable Mutex mutex_;
  std::map<std::string, std::chrono::milliseconds> delays_ GUARDED_BY(mutex_);
};

// Of all engines with these resources.
SlowEngines& SlowEnginesOf(EngineResources& resources);

}  // namespace orrery::storage
