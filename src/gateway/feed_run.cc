#include "gateway/feed_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "item/price_list.h"
#include "item/read/feed.h"

namespace orrery::gateway {

Result<FeedTarget> TargetOf(const item::ContainerSchema& schema, const FeedSpec& spec,
                            const partition::Limits& limits) {
  FeedTarget target;
  if (spec.range.has_value()) target.range = *spec.range;
  if (!spec.partition_key.has_value()) return target;
  if (spec.range.has_value()) {
    return Fail(Code::kInvalidArgument, "a feed is read by partition key or by range, not by both");
  }
  ORRERY_ASSIGN(RoutedKey key, RoutePartitionKey(schema, *spec.partition_key, limits));
  target.range = partition::HashRange::Inclusive(key.hash, key.hash);
  target.key = std::move(key.encoded);
  return target;
}

Result<FeedResponse> FeedRun::Run() {
  ORRERY_TRY(rounds_.Run([this](const FeedRounds::Source& source, const item::PageLimits& room) {
    return Read(source, room);
  }));
  response_.drained = rounds_.drained();
  return std::move(response_);
}

Result<FeedRounds::Taken> FeedRun::Read(const FeedRounds::Source& source,
                                        const item::PageLimits& room) {
  cluster::HostedPartition& partition = *source.piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(parts_.metering.Reserve(partition, parts_.container, reserved));
  auto page =
      item::ReadFeed(partition.engine(), *parts_.container.schema, source.piece.range,
                     parts_.spec.mode, source.position, partition.sequencer().last_committed(),
                     parts_.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    parts_.metering.Settle(partition, parts_.container, reserved, {});
    return Fail(std::move(page).error());
  }
  if (!parts_.target.key.empty()) {
    std::erase_if(page->entries, [this](const item::FeedEntry& entry) {
      return entry.key.partition_key != parts_.target.key;
    });
  }
  FeedRounds::Taken taken{.entries = page->entries.size(),
                          .bytes = 0,
                          .looked_at = page->looked_at,
                          .position = page->position,
                          .drained = page->drained};
  for (const item::FeedEntry& entry : page->entries) {
    if (entry.document.has_value()) taken.bytes += entry.document->bson().size();
  }
  const RequestUnits charge = item::PriceOfFeedPage(taken.entries, taken.bytes);
  parts_.metering.Settle(partition, parts_.container, reserved, charge);
  response_.charge += charge;
  std::ranges::move(page->entries, std::back_inserter(response_.entries));
  return taken;
}

}  // namespace orrery::gateway
