#include "storage/fault/slow_engines.h"

#include <thread>

#include "storage/resources_rep.h"

namespace orrery::storage {

void SlowEngines::Set(const std::string& path, std::chrono::milliseconds delay) {
  MutexLock lock(mutex_);
  if (delay.count() > 0) {
    delays_.insert_or_assign(path, delay);
  } else {
    delays_.erase(path);
  }
  any_.store(!delays_.empty(), std::memory_order_relaxed);
}

bool SlowEngines::HoldUp(const std::string& path, ReadMode mode) const {
  std::chrono::milliseconds delay{0};
  {
    MutexLock lock(mutex_);
    const auto found = delays_.find(path);
    if (found == delays_.end()) return true;
    delay = found->second;
  }
  if (mode == ReadMode::kCachedOnly) return false;
  std::this_thread::sleep_for(delay);
  return true;
}

SlowEngines& SlowEnginesOf(EngineResources& resources) { return resources.rep().slow; }

}  // namespace orrery::storage
