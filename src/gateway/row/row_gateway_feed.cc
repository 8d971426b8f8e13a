// The change feed of rows.
#include <algorithm>
#include <iterator>
#include <utility>

#include "gateway/feed_rounds.h"
#include "gateway/position/continuation.h"
#include "gateway/row/row_gateway.h"
#include "gateway/row/row_keys.h"
#include "item/price_list.h"

namespace orrery::gateway {

Result<RowFeedResponse> RowGateway::ReadFeed(const ContainerRef& container, const RowFeedSpec& spec,
                                             std::string_view continuation) {
  pages_.Add();
  Continuation where;
  where.kind = ContinuationKind::kFeed;
  where.container = container->id;
  where.shape = ShapeOf(spec);
  where.parts = {{spec.range, std::nullopt}};
  std::optional<std::string> encoded_key;
  if (spec.partition_key.has_value()) {
    ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(*spec.partition_key, parts_.limits));
    where.parts.front().range = partition::HashRange::Inclusive(key.hash, key.hash);
    encoded_key = std::move(key.encoded);
  }
  const bool begins = continuation.empty();
  if (!begins) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  }
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  auto pieces = LayOut(*topology, container->id, where.parts);
  if (!pieces.has_value()) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return ReadFeed(newer, spec, continuation);
    return Fail(router_.Unroutable(*container));
  }

  FeedRounds rounds(*std::move(pieces), where.turn, spec.limits);
  ORRERY_TRY(begins ? rounds.Begin(spec.start, spec.start_time, *container->schema)
                    : rounds.Resume());
  RowFeedResponse response;
  const auto read = [&](const FeedRounds::Source& source,
                        const item::PageLimits& room) -> Result<FeedRounds::Taken> {
    cluster::HostedPartition& partition = *source.piece.partition;
    const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
    ORRERY_TRY(metering_.Reserve(partition, reserved));
    auto page = item::ReadRowFeed(partition.engine(), *container->schema,
                                  {.range = source.piece.range,
                                   .partition_key = encoded_key,
                                   .after = source.position,
                                   .until = partition.sequencer().last_committed()},
                                  parts_.clock.Now(), room, storage::ReadMode::kMayBlock);
    if (!page.has_value()) {
      metering_.Settle(partition, reserved, {});
      return Fail(std::move(page).error());
    }
    const RequestUnits charge = item::PriceOfFeedPage(page->entries.size(), page->bytes);
    metering_.Settle(partition, reserved, charge);
    response.charge += charge;
    const FeedRounds::Taken taken{.entries = page->entries.size(),
                                  .bytes = page->bytes,
                                  .looked_at = page->looked_at,
                                  .position = page->position,
                                  .drained = page->drained};
    std::ranges::move(page->entries, std::back_inserter(response.entries));
    return taken;
  };
  ORRERY_TRY(rounds.Run(read));
  response.drained = rounds.drained();
  where.parts = rounds.Positions();
  where.turn = rounds.turn();
  response.continuation = EncodeContinuation(where);
  return response;
}

}  // namespace orrery::gateway
