#include "cluster/maintenance/feed_maintenance.h"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/log.h"

namespace orrery::cluster {
namespace {

// The containers of rows that the partition has something of.
std::vector<std::shared_ptr<const item::ContainerSchema>> RowContainersIn(
    const NodeState& state, const PartitionRecord& record) {
  std::set<ContainerId> ids;
  for (const Slice& slice : record.slices) ids.insert(slice.container);
  std::vector<std::shared_ptr<const item::ContainerSchema>> found;
  for (const ContainerId id : ids) {
    const auto schema = state.schemas(id);
    if (schema != nullptr && schema->rows.has_value()) found.push_back(schema);
  }
  return found;
}

std::vector<partition::HashRange> RangesOf(const PartitionRecord& record, ContainerId container) {
  std::vector<partition::HashRange> ranges;
  for (const Slice& slice : record.slices) {
    if (slice.container == container) ranges.push_back(slice.range);
  }
  return ranges;
}

Status Rewrite(HostedPartition& partition, item::FeedRewrite rewrite) {
  std::promise<Status> done;
  partition.sequencer().Submit(item::RewriteFeed(
      std::move(rewrite), [&done](Status status) { done.set_value(std::move(status)); }));
  return done.get_future().get();
}

// Rewrites all windows of the segment that the request begins with.
Result<item::FeedSweep> SweepFeed(HostedPartition& partition, const item::ContainerSchema& schema,
                                  item::FeedSweepRequest request) {
  MutexLock alone(partition.feed_mutex());
  ORRERY_ASSIGN(item::FeedSweep sweep,
                item::FeedSweep::Open(partition.engine(), schema, std::move(request)));
  for (;;) {
    ORRERY_ASSIGN(std::optional<item::FeedRewrite> rewrite, sweep.Next());
    if (!rewrite.has_value()) return sweep;
    if (!rewrite->empty()) ORRERY_TRY(Rewrite(partition, *std::move(rewrite)));
  }
}

}  // namespace

bool FeedMaintenance::Due(const HostedPartition& partition) {
  const Lsn last = partition.sequencer().last_committed();
  return std::ranges::any_of(RowContainersIn(state_, *partition.record()), [&](const auto& schema) {
    MutexLock lock(mutex_);
    return passes_[{partition.id(), schema->id}].Due(last);
  });
}

void FeedMaintenance::Sweep(HostedPartition& partition) {
  for (const auto& schema : RowContainersIn(state_, *partition.record())) {
    const Status swept = SweepSegment(partition, *schema);
    if (swept.has_value()) continue;
    // Moved or stopping: the next round goes on from where it was.
    LogDebug("partition {}: its change feed was not swept: {}", partition.id().value(),
             swept.error().ToString());
    return;
  }
}

Status FeedMaintenance::SweepSegment(HostedPartition& partition,
                                     const item::ContainerSchema& schema) {
  const PassId id{partition.id(), schema.id};
  item::FeedSweepPass::Span span;
  {
    const Lsn last = partition.sequencer().last_committed();
    MutexLock lock(mutex_);
    if (!passes_[id].Due(last)) return {};
    span = passes_[id].Next(last);
  }
  ORRERY_ASSIGN(const item::FeedSweep sweep,
                SweepFeed(partition, schema,
                          {.ranges = RangesOf(*partition.record(), schema.id),
                           .after = span.after,
                           .until = span.until,
                           .settled = span.settled,
                           .now = state_.parts.clock.Now()}));
  MutexLock lock(mutex_);
  passes_[id].Looked(sweep.position(), sweep.kept());
  return {};
}

void FeedMaintenance::Forget(const Topology& topology) {
  MutexLock lock(mutex_);
  std::erase_if(passes_, [&](const auto& pass) {
    const auto& [id, container] = pass.first;
    const auto partition = topology.Find(id);
    return partition == nullptr || RangesOf(*partition->record(), container).empty();
  });
}

Status TrimRowFeeds(NodeState& state, HostedPartition& partition) {
  const Lsn until = partition.sequencer().last_committed();
  for (const auto& schema : RowContainersIn(state, *partition.record())) {
    for (Lsn position; position < until;) {
      ORRERY_ASSIGN(const item::FeedSweep sweep,
                    SweepFeed(partition, *schema,
                              {.ranges = RangesOf(*partition.record(), schema->id),
                               .after = position,
                               .until = until,
                               .settled = Lsn(),
                               .now = state.parts.clock.Now(),
                               .trim = true}));
      position = sweep.position();
    }
  }
  return {};
}

}  // namespace orrery::cluster
