#include "gateway/row/row_feed.h"

#include <utility>

#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/remote_gateway.h"
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

Result<RowFeedPieceAnswer> ReadRowFeedPiece(const RowFeedQuestion& question, const RingPiece& piece,
                                            Lsn after, const item::PageLimits& room) {
  cluster::HostedPartition& partition = *piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(question.metering.Reserve(partition, question.container, reserved));
  auto page = item::ReadRowFeed(partition.engine(), *question.container.schema,
                                {.range = piece.range,
                                 .partition_key = question.key,
                                 .after = after,
                                 .until = partition.sequencer().last_committed()},
                                question.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    question.metering.Settle(partition, question.container, reserved, {});
    return Fail(std::move(page).error());
  }
  const RequestUnits charge = item::PriceOfFeedPage(page->entries.size(), page->bytes);
  question.metering.Settle(partition, question.container, reserved, charge);
  ORRERY_TRY(partition.CheckLease());
  return RowFeedPieceAnswer{.page = *std::move(page), .charge = charge};
}

Result<RowFeedPieceAnswer> RowFeed::Read(const FeedParts<RowFeed>& parts, const RingPiece& piece,
                                         Lsn after, const item::PageLimits& room) {
  return ReadRowFeedPiece({.container = parts.container,
                           .key = parts.target.key,
                           .metering = parts.metering,
                           .now = parts.now},
                          piece, after, room);
}

Result<RowFeedPieceAnswer> RowFeed::Ask(const FeedParts<RowFeed>& parts, const RingPiece& piece,
                                        const FeedPlace& place) {
  return parts.remote->ReadRowFeed(parts.container, *piece.remote,
                                   {.place = place, .key = parts.target.key});
}

}  // namespace orrery::gateway
