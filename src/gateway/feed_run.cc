#include "gateway/feed_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gateway/position/continuation.h"
#include "item/price_list.h"
#include "item/read/feed.h"

namespace orrery::gateway {
namespace {

// How often one page goes round the partitions to fill up.
constexpr int kRoundsMax = 4;

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

FeedRun::FeedRun(const Parts& parts, std::vector<RingPiece> pieces, uint32_t turn) : parts_(parts) {
  for (RingPiece& piece : pieces) sources_.push_back({std::move(piece), Lsn(), false});
  turn_ = sources_.empty() ? 0 : turn % sources_.size();
}

Status FeedRun::Begin() {
  if (parts_.spec.start == FeedSpec::Start::kBeginning) return {};
  for (Source& source : sources_) {
    cluster::HostedPartition& partition = *source.piece.partition;
    const Lsn last = partition.sequencer().last_committed();
    if (parts_.spec.start == FeedSpec::Start::kNow) {
      source.position = last;
      continue;
    }
    ORRERY_ASSIGN(source.position,
                  item::FeedPositionAt(partition.engine(), *parts_.container.schema,
                                       source.piece.range, parts_.spec.start_time, last));
  }
  return {};
}

Status FeedRun::Resume() {
  for (Source& source : sources_) {
    if (!source.piece.inner.has_value()) continue;
    ORRERY_ASSIGN(source.position, DecodeFeedPosition(*source.piece.inner));
  }
  return {};
}

Result<FeedResponse> FeedRun::Run() {
  Status status;
  for (int round = 0; round < kRoundsMax && status.has_value() && !Full(); ++round) {
    size_t active = CountActive();
    for (size_t i = 0; i < sources_.size() && active > 0 && !Full(); ++i) {
      Source& source = sources_[turn_];
      if (!source.drained) {
        const size_t room =
            std::max<size_t>(parts_.spec.limits.items_max, 1) - response_.entries.size();
        status = Read(source, std::max<size_t>(room / active, 1));
        if (!status.has_value()) break;
        --active;
      }
      turn_ = (turn_ + 1) % sources_.size();
    }
    if (CountActive() == 0) break;
  }
  // A partition that refuses must not hide what the others gave, nor keep its turn from them.
  if (!status.has_value() && response_.entries.empty()) return Fail(std::move(status).error());
  if (!status.has_value()) turn_ = (turn_ + 1) % sources_.size();
  response_.drained = CountActive() == 0;
  return std::move(response_);
}

Status FeedRun::Read(Source& source, size_t share) {
  cluster::HostedPartition& partition = *source.piece.partition;
  const RequestUnits reserved = item::PriceOfFeedPage(0, 0);
  ORRERY_TRY(parts_.metering.Reserve(partition, reserved));
  const item::PageLimits& limits = parts_.spec.limits;
  const item::PageLimits room{
      .items_max = share,
      .bytes_max = limits.bytes_max > bytes_ ? limits.bytes_max - bytes_ : 1,
      .looked_at_max = limits.looked_at_max > looked_at_ ? limits.looked_at_max - looked_at_ : 1};
  auto page =
      item::ReadFeed(partition.engine(), *parts_.container.schema, source.piece.range,
                     parts_.spec.mode, source.position, partition.sequencer().last_committed(),
                     parts_.now, room, storage::ReadMode::kMayBlock);
  if (!page.has_value()) {
    parts_.metering.Settle(partition, reserved, {});
    return Fail(std::move(page).error());
  }
  if (!parts_.target.key.empty()) {
    std::erase_if(page->entries, [this](const item::FeedEntry& entry) {
      return entry.key.partition_key != parts_.target.key;
    });
  }
  size_t bytes = 0;
  for (const item::FeedEntry& entry : page->entries) {
    if (entry.document.has_value()) bytes += entry.document->bson().size();
  }
  const RequestUnits charge = item::PriceOfFeedPage(page->entries.size(), bytes);
  parts_.metering.Settle(partition, reserved, charge);
  response_.charge += charge;
  bytes_ += bytes;
  looked_at_ += page->looked_at;
  source.position = page->position;
  source.drained = page->drained;
  std::ranges::move(page->entries, std::back_inserter(response_.entries));
  return {};
}

std::vector<Continuation::Part> FeedRun::Positions() const {
  std::vector<RingPiece> pieces;
  for (const Source& source : sources_) {
    pieces.push_back(
        {source.piece.range, source.piece.partition, EncodeFeedPosition(source.position)});
  }
  return JoinPieces(pieces);
}

size_t FeedRun::CountActive() const {
  return static_cast<size_t>(std::ranges::count(sources_, false, &Source::drained));
}

bool FeedRun::Full() const {
  const item::PageLimits& limits = parts_.spec.limits;
  return response_.entries.size() >= std::max<size_t>(limits.items_max, 1) ||
         bytes_ >= limits.bytes_max || looked_at_ >= limits.looked_at_max;
}

}  // namespace orrery::gateway
