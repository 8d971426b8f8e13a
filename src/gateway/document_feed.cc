#include "gateway/document_feed.h"

#include <utility>
#include <vector>

#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/remote_gateway.h"
#include "item/price_list.h"
#include "item/read/feed.h"
#include "model/expression/expression.h"
#include "partition/merge_mark.h"

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

Result<FeedPieceAnswer> ReadFeedPiece(const FeedQuestion& question, const RingPiece& piece,
                                      Lsn after, const item::PageLimits& room) {
  cluster::HostedPartition& partition = *piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(question.metering.Reserve(partition, question.container, reserved));
  // Before the position: what is complete then is in the page.
  const Micros complete_until =
      question.tells_time ? partition.sequencer().CompleteUntil() : Micros(0);
  auto page = item::ReadFeed(partition.engine(), *question.container.schema, piece.range,
                             question.mode, after, partition.sequencer().last_committed(),
                             question.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    question.metering.Settle(partition, question.container, reserved, {});
    return Fail(std::move(page).error());
  }
  if (page->drained) {
    page->complete_until = complete_until;
  } else if (question.tells_time && !question.container.schema->fixed) {
    // In what a merge has put together times do not rise with positions.
    ORRERY_ASSIGN(const auto merged, partition::ReadMergeMark(partition.engine()));
    if (merged.has_value() && page->position <= merged->lsn) page->complete_until = Micros(0);
  }
  if (!question.key.empty()) {
    std::erase_if(page->entries, [&](const item::FeedEntry& entry) {
      return entry.key.partition_key != question.key;
    });
  }
  const RequestUnits charge =
      item::PriceOfFeedPage(page->entries.size(), DocumentFeed::BytesOf(*page));
  question.metering.Settle(partition, question.container, reserved, charge);
  // After the price: what the filter rejects was read as well.
  if (question.filter != nullptr) {
    std::erase_if(page->entries, [&](const item::FeedEntry& entry) {
      return entry.document.has_value() && !model::Matches(*question.filter, *entry.document);
    });
  }
  ORRERY_TRY(partition.CheckLease());
  return FeedPieceAnswer{.page = *std::move(page), .charge = charge};
}

Result<FeedPieceAnswer> DocumentFeed::Read(const FeedParts<DocumentFeed>& parts,
                                           const RingPiece& piece, Lsn after,
                                           const item::PageLimits& room) {
  return ReadFeedPiece({.container = parts.container,
                        .mode = parts.spec.mode,
                        .key = parts.target.key,
                        .filter = parts.spec.filter.get(),
                        .tells_time = parts.spec.in_time_order,
                        .metering = parts.metering,
                        .now = parts.now},
                       piece, after, room);
}

Result<FeedPieceAnswer> DocumentFeed::Ask(const FeedParts<DocumentFeed>& parts,
                                          const RingPiece& piece, const FeedPlace& place) {
  return parts.remote->ReadFeed(parts.container, *piece.remote,
                                {.place = place,
                                 .mode = parts.spec.mode,
                                 .key = parts.target.key,
                                 .filter = parts.spec.filter});
}

size_t DocumentFeed::BytesOf(const item::FeedPage& page) {
  size_t bytes = 0;
  for (const item::FeedEntry& entry : page.entries) {
    if (entry.document.has_value()) bytes += entry.document->bson().size();
  }
  return bytes;
}

}  // namespace orrery::gateway
