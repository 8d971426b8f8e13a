#include "gateway/outbox/outbox_removals.h"

#include <map>
#include <utility>

namespace orrery::gateway {

void OutboxRemovals::Add(const item::OutboxPlace& place) {
  std::vector<item::OutboxPlace> full;
  {
    MutexLock lock(mutex_);
    gathered_.push_back(place);
    if (gathered_.size() < kGatheredMax) return;
    full.swap(gathered_);
  }
  Submit(full);
}

void OutboxRemovals::Flush() {
  std::vector<item::OutboxPlace> gathered;
  {
    MutexLock lock(mutex_);
    gathered.swap(gathered_);
  }
  Submit(gathered);
}

void OutboxRemovals::Submit(const std::vector<item::OutboxPlace>& places) {
  const auto topology = node_.topology();
  std::map<cluster::HostedPartition*, std::vector<item::OutboxPlace>> by_partition;
  for (const item::OutboxPlace& place : places) {
    cluster::HostedPartition* const partition = topology->Route(place.container, place.hash);
    // Without a partition the container was dropped, with the entry, or the node is stopping; or
    // another node has it by now, which looks for entries when it opens it.
    if (partition != nullptr) by_partition[partition].push_back(place);
  }
  {
    MutexLock lock(mutex_);
    submitted_ += by_partition.size();
  }
  for (auto& [partition, of_it] : by_partition) {
    auto removal =
        item::OutboxRemoval(of_it, [this, of_it](const Status& status) { End(of_it, status); });
    partition->sequencer().Submit(std::move(removal));
  }
}

void OutboxRemovals::End(const std::vector<item::OutboxPlace>& places, const Status& status) {
  if (!status.has_value()) {
    for (const item::OutboxPlace& place : places) left_(place);
  }
  MutexLock lock(mutex_);
  if (--submitted_ == 0) idle_.NotifyAll();
}

void OutboxRemovals::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (submitted_ > 0) idle_.Wait(mutex_);
}

}  // namespace orrery::gateway
