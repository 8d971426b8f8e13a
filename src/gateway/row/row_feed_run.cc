#include "gateway/row/row_feed_run.h"

#include <algorithm>
#include <iterator>

#include "gateway/row/row_keys.h"
#include "item/price_list.h"

namespace orrery::gateway {

Result<RowFeedTarget> TargetOf(const RowFeedSpec& spec, const partition::Limits& limits) {
  RowFeedTarget target{.range = spec.range, .key = std::nullopt};
  if (!spec.partition_key.has_value()) return target;
  ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(*spec.partition_key, limits));
  target.range = partition::HashRange::Inclusive(key.hash, key.hash);
  target.key = std::move(key.encoded);
  return target;
}

Result<RowFeedResponse> RowFeedRun::Run() {
  ORRERY_TRY(rounds_.Run([this](const FeedRounds::Source& source, const item::PageLimits& room) {
    return Read(source, room);
  }));
  response_.drained = rounds_.drained();
  return std::move(response_);
}

Result<FeedRounds::Taken> RowFeedRun::Read(const FeedRounds::Source& source,
                                           const item::PageLimits& room) {
  cluster::HostedPartition& partition = *source.piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(parts_.metering.Reserve(partition, parts_.container, reserved));
  auto page = item::ReadRowFeed(partition.engine(), *parts_.container.schema,
                                {.range = source.piece.range,
                                 .partition_key = parts_.target.key,
                                 .after = source.position,
                                 .until = partition.sequencer().last_committed()},
                                parts_.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    parts_.metering.Settle(partition, parts_.container, reserved, {});
    return Fail(std::move(page).error());
  }
  const RequestUnits charge = item::PriceOfFeedPage(page->entries.size(), page->bytes);
  parts_.metering.Settle(partition, parts_.container, reserved, charge);
  response_.charge += charge;
  const FeedRounds::Taken taken{.entries = page->entries.size(),
                                .bytes = page->bytes,
                                .looked_at = page->looked_at,
                                .position = page->position,
                                .drained = page->drained};
  std::ranges::move(page->entries, std::back_inserter(response_.entries));
  return taken;
}

}  // namespace orrery::gateway
