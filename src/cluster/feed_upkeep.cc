#include "cluster/feed_upkeep.h"

#include <algorithm>
#include <future>

#include "base/log.h"

namespace orrery::cluster {
namespace {

// Entries looked at, and removed by one mutation, in one step.
constexpr size_t kEntriesPerStep = 1'024;
// Steps of one sweep: few where there is little to collect, more where there is much.
constexpr int kStepsMin = 4;
constexpr int kStepsMax = 64;

}  // namespace

bool FeedUpkeep::Due(const HostedPartition& partition) {
  const Lsn last = partition.sequencer().last_committed();
  const auto record = partition.record();
  return std::ranges::any_of(record->slices, [&](const Slice& slice) {
    const auto schema = state_.schemas(slice.container);
    if (schema == nullptr || !schema->rows.has_value()) return false;
    MutexLock lock(mutex_);
    return passes_[{partition.id(), slice.container, slice.range.begin()}].Due(last);
  });
}

void FeedUpkeep::Sweep(HostedPartition& partition) {
  const auto record = partition.record();
  for (const Slice& slice : record->slices) {
    const auto schema = state_.schemas(slice.container);
    if (schema == nullptr || !schema->rows.has_value()) continue;
    for (int step = 0; step < kStepsMax; ++step) {
      const auto worth = Step(partition, *schema, slice);
      if (!worth.has_value()) {
        // Moved or stopping: the next round goes on from where it was.
        LogDebug("partition {}: its change feed was not swept: {}", partition.id().value(),
                 worth.error().ToString());
        return;
      }
      if (!*worth && step + 1 >= kStepsMin) break;
    }
  }
}

Result<bool> FeedUpkeep::Step(HostedPartition& partition, const item::ContainerSchema& schema,
                              const Slice& slice) {
  const PassId id{partition.id(), slice.container, slice.range.begin()};
  item::FeedSweepPass::Span span;
  {
    const Lsn last = partition.sequencer().last_committed();
    MutexLock lock(mutex_);
    if (!passes_[id].Due(last)) return false;
    span = passes_[id].Next(last);
  }
  ORRERY_ASSIGN(const item::StaleFeedEntries found,
                item::FindStaleFeedEntries(partition.engine(), schema, slice.range, span.after,
                                           span.until, kEntriesPerStep));
  if (!found.keys.empty()) {
    std::promise<Status> done;
    partition.sequencer().Submit(item::RemoveFeedEntries(
        found.keys, [&done](Status status) { done.set_value(std::move(status)); }));
    ORRERY_TRY(done.get_future().get());
  }
  MutexLock lock(mutex_);
  passes_[id].Looked(found);
  return !found.done && found.keys.size() * 2 >= found.looked_at;
}

void FeedUpkeep::Forget(const Topology& topology) {
  MutexLock lock(mutex_);
  std::erase_if(passes_, [&](const auto& pass) {
    const PassId& id = pass.first;
    const auto partition = topology.Find(id.partition);
    if (partition == nullptr) return true;
    const auto record = partition->record();
    return std::ranges::none_of(record->slices, [&](const Slice& slice) {
      return slice.container == id.container && slice.range.begin() == id.begin;
    });
  });
}

}  // namespace orrery::cluster
