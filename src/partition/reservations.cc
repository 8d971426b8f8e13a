#include "partition/reservations.h"

#include <utility>

namespace orrery::partition {

bool Reservations::Reserve(std::string_view key, Holder holder) {
  MutexLock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second == holder;
  const auto added = by_key_.emplace(std::string(key), holder).first;
  by_holder_[holder].keys.push_back(added->first);
  count_.store(by_key_.size(), std::memory_order_relaxed);
  return true;
}

Reservations::Holder Reservations::HolderOf(std::string_view key) const {
  MutexLock lock(mutex_);
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? 0 : found->second;
}

bool Reservations::Holds(Holder holder) const {
  MutexLock lock(mutex_);
  return by_holder_.contains(holder);
}

void Reservations::Release(Holder holder) {
  std::vector<Resume> waiters;
  {
    MutexLock lock(mutex_);
    const auto held = by_holder_.find(holder);
    if (held == by_holder_.end()) return;
    for (const std::string_view key : held->second.keys) by_key_.erase(by_key_.find(key));
    waiters.swap(held->second.waiters);
    waiters_ -= waiters.size();
    by_holder_.erase(held);
    count_.store(by_key_.size(), std::memory_order_relaxed);
  }
  for (Resume& resume : waiters) resume();
}

Reservations::Wait Reservations::WaitFor(Holder holder, Resume& resume) {
  MutexLock lock(mutex_);
  const auto held = by_holder_.find(holder);
  if (held == by_holder_.end()) return Wait::kGone;
  if (waiters_ >= kWaitersMax) return Wait::kFull;
  ++waiters_;
  held->second.waiters.push_back(std::move(resume));
  return Wait::kWaits;
}

}  // namespace orrery::partition
