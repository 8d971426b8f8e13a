#include "gateway/feed_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/remote_door.h"
#include "item/price_list.h"
#include "item/read/feed.h"

namespace orrery::gateway {
namespace {

size_t BytesOf(const item::FeedPage& page) {
  size_t bytes = 0;
  for (const item::FeedEntry& entry : page.entries) {
    if (entry.document.has_value()) bytes += entry.document->bson().size();
  }
  return bytes;
}

}  // namespace

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

Result<FeedPieceAnswer> ReadFeedPiece(const FeedQuestion& question, const RingPiece& piece,
                                      Lsn after, const item::PageLimits& room) {
  cluster::HostedPartition& partition = *piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(question.metering.Reserve(partition, question.container, reserved));
  auto page = item::ReadFeed(partition.engine(), *question.container.schema, piece.range,
                             question.mode, after, partition.sequencer().last_committed(),
                             question.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    question.metering.Settle(partition, question.container, reserved, {});
    return Fail(std::move(page).error());
  }
  if (!question.key.empty()) {
    std::erase_if(page->entries, [&](const item::FeedEntry& entry) {
      return entry.key.partition_key != question.key;
    });
  }
  const RequestUnits charge = item::PriceOfFeedPage(page->entries.size(), BytesOf(*page));
  question.metering.Settle(partition, question.container, reserved, charge);
  ORRERY_TRY(partition.CheckTenure());
  return FeedPieceAnswer{.page = *std::move(page), .charge = charge};
}

Result<FeedPieceAnswer> FeedRun::Ask(const RingPiece& piece, const FeedPlace& place) const {
  if (parts_.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
  return parts_.remote->ReadFeed(
      parts_.container, *piece.remote,
      {.place = place, .mode = parts_.spec.mode, .key = parts_.target.key});
}

Status FeedRun::Begin() {
  return rounds_.Begin(parts_.spec.start, parts_.spec.start_time, *parts_.container.schema,
                       [this](const RingPiece& piece) -> Result<Lsn> {
                         ORRERY_ASSIGN(const FeedPieceAnswer answer,
                                       Ask(piece, {.range = piece.range,
                                                   .start = parts_.spec.start,
                                                   .start_time = parts_.spec.start_time,
                                                   .after = {},
                                                   .tells_position = true,
                                                   .limits = {}}));
                         return answer.page.position;
                       });
}

Result<FeedPieceAnswer> FeedRun::ReadPiece(const FeedRounds::Source& source,
                                           const item::PageLimits& room) const {
  if (source.piece.remote != nullptr)
    return Ask(source.piece,
               {.range = source.piece.range, .after = source.position, .limits = room});
  return ReadFeedPiece({.container = parts_.container,
                        .mode = parts_.spec.mode,
                        .key = parts_.target.key,
                        .metering = parts_.metering,
                        .now = parts_.now},
                       source.piece, source.position, room);
}

Result<FeedRounds::Taken> FeedRun::Read(const FeedRounds::Source& source,
                                        const item::PageLimits& room) {
  ORRERY_ASSIGN(FeedPieceAnswer answer, ReadPiece(source, room));
  item::FeedPage& page = answer.page;
  const FeedRounds::Taken taken{.entries = page.entries.size(),
                                .bytes = BytesOf(page),
                                .looked_at = page.looked_at,
                                .position = page.position,
                                .drained = page.drained};
  response_.charge += answer.charge;
  std::ranges::move(page.entries, std::back_inserter(response_.entries));
  return taken;
}

}  // namespace orrery::gateway
