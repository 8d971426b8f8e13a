#include "gateway/row/row_feed_run.h"

#include <algorithm>
#include <iterator>

#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/remote_door.h"
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
  ORRERY_TRY(partition.CheckTenure());
  return RowFeedPieceAnswer{.page = *std::move(page), .charge = charge};
}

Result<RowFeedPieceAnswer> RowFeedRun::Ask(const RingPiece& piece, const FeedPlace& place) const {
  if (parts_.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
  return parts_.remote->ReadRowFeed(parts_.container, *piece.remote,
                                    {.place = place, .key = parts_.target.key});
}

Status RowFeedRun::Begin() {
  return rounds_.Begin(parts_.spec.start, parts_.spec.start_time, *parts_.container.schema,
                       [this](const RingPiece& piece) -> Result<Lsn> {
                         ORRERY_ASSIGN(const RowFeedPieceAnswer answer,
                                       Ask(piece, {.range = piece.range,
                                                   .start = parts_.spec.start,
                                                   .start_time = parts_.spec.start_time,
                                                   .after = {},
                                                   .tells_position = true,
                                                   .limits = {}}));
                         return answer.page.position;
                       });
}

Result<RowFeedPieceAnswer> RowFeedRun::ReadPiece(const FeedRounds::Source& source,
                                                 const item::PageLimits& room) const {
  if (source.piece.remote != nullptr)
    return Ask(source.piece,
               {.range = source.piece.range, .after = source.position, .limits = room});
  return ReadRowFeedPiece({.container = parts_.container,
                           .key = parts_.target.key,
                           .metering = parts_.metering,
                           .now = parts_.now},
                          source.piece, source.position, room);
}

Result<FeedRounds::Taken> RowFeedRun::Read(const FeedRounds::Source& source,
                                           const item::PageLimits& room) {
  ORRERY_ASSIGN(RowFeedPieceAnswer answer, ReadPiece(source, room));
  item::RowFeedPage& page = answer.page;
  const FeedRounds::Taken taken{.entries = page.entries.size(),
                                .bytes = page.bytes,
                                .looked_at = page.looked_at,
                                .position = page.position,
                                .drained = page.drained};
  response_.charge += answer.charge;
  std::ranges::move(page.entries, std::back_inserter(response_.entries));
  return taken;
}

}  // namespace orrery::gateway
