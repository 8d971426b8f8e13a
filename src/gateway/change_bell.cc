#include "gateway/change_bell.h"

#include <utility>

namespace orrery::gateway {

uint64_t ChangeBell::Listen(const std::vector<ContainerId>& containers, Wake wake) {
  MutexLock lock(mutex_);
  const uint64_t number = ++last_;
  for (const ContainerId container : containers) by_container_[container].push_back(number);
  listeners_.emplace(number, Listener{containers, std::move(wake)});
  listening_.store(listeners_.size());
  return number;
}

void ChangeBell::Forget(uint64_t listener) {
  MutexLock lock(mutex_);
  Remove(listener);
}

void ChangeBell::RingNow(ContainerId container) {
  std::vector<Wake> woken;
  {
    MutexLock lock(mutex_);
    const auto found = by_container_.find(container);
    if (found == by_container_.end()) return;
    const std::vector<uint64_t> numbers = found->second;
    for (const uint64_t number : numbers) {
      const auto listener = listeners_.find(number);
      if (listener == listeners_.end()) continue;
      woken.push_back(std::move(listener->second.wake));
      Remove(number);
    }
  }
  for (const Wake& wake : woken) wake();
}

void ChangeBell::RingAll() {
  if (listening_.load() == 0) return;
  std::vector<Wake> woken;
  {
    MutexLock lock(mutex_);
    for (auto& [number, listener] : listeners_) woken.push_back(std::move(listener.wake));
    listeners_.clear();
    by_container_.clear();
    listening_.store(0);
  }
  for (const Wake& wake : woken) wake();
}

void ChangeBell::Remove(uint64_t number) {
  const auto found = listeners_.find(number);
  if (found == listeners_.end()) return;
  for (const ContainerId container : found->second.containers) {
    const auto numbers = by_container_.find(container);
    if (numbers == by_container_.end()) continue;
    std::erase(numbers->second, number);
    if (numbers->second.empty()) by_container_.erase(numbers);
  }
  listeners_.erase(found);
  listening_.store(listeners_.size());
}

}  // namespace orrery::gateway
