#include "gateway/feed_rounds.h"

#include <algorithm>
#include <utility>

#include "gateway/position/continuation.h"
#include "item/read/feed.h"
#include "item/row_feed/row_feed.h"
#include "partition/merge_mark.h"

namespace orrery::gateway {
namespace {

// The number of rounds that one page makes over the partitions to fill up.
constexpr int kRoundsMax = 4;

size_t Left(size_t most, size_t used) { return most > used ? most - used : 1; }

}  // namespace

Result<Lsn> FeedStart(const RingPiece& piece, FeedSpec::Start start, Micros start_time,
                      const item::ContainerSchema& schema, bool misses_none) {
  if (start == FeedSpec::Start::kBeginning) return Lsn();
  const Lsn last = piece.partition->sequencer().last_committed();
  if (start == FeedSpec::Start::kNow) return last;
  if (misses_none && !schema.fixed) {
    // Two histories that a merge has put together have no common place for a time.
    ORRERY_ASSIGN(const auto merged, partition::ReadMergeMark(piece.partition->engine()));
    if (merged.has_value() && start_time <= merged->time) return Lsn();
  }
  const auto position_at = schema.rows.has_value() ? item::RowFeedPositionAt : item::FeedPositionAt;
  return position_at(piece.partition->engine(), schema, piece.range, start_time, last);
}

FeedRounds::FeedRounds(std::vector<RingPiece> pieces, uint32_t turn, const item::PageLimits& limits,
                       bool in_time_order)
    : limits_({.items_max = std::max<size_t>(limits.items_max, 1),
               .bytes_max = limits.bytes_max,
               .examined_max = limits.examined_max}),
      in_time_order_(in_time_order) {
  for (RingPiece& piece : pieces) sources_.push_back({std::move(piece), Lsn(), false});
  turn_ = sources_.empty() ? 0 : turn % sources_.size();
}

Status FeedRounds::Begin(FeedSpec::Start start, Micros start_time,
                         const item::ContainerSchema& schema, const RemoteStart& remote_start) {
  if (start == FeedSpec::Start::kBeginning) return {};
  for (Source& source : sources_) {
    ORRERY_ASSIGN(source.position,
                  source.piece.remote != nullptr
                      ? remote_start(source.piece)
                      : FeedStart(source.piece, start, start_time, schema, in_time_order_));
  }
  return {};
}

Status FeedRounds::Resume() {
  for (Source& source : sources_) {
    if (!source.piece.inner.has_value()) continue;
    ORRERY_ASSIGN(const FeedPosition at, DecodeFeedPosition(*source.piece.inner));
    source.position = at.lsn;
    source.complete_until = at.complete_until;
  }
  return {};
}

Status FeedRounds::Run(const Read& read) {
  Status status = in_time_order_ ? RunInTimeOrder(read) : RunInTurns(read);
  // A partition that refuses must not hide what the others gave, nor keep its turn from them.
  if (!status.has_value() && entries_ == 0) return status;
  if (!status.has_value()) turn_ = (turn_ + 1) % sources_.size();
  return {};
}

Status FeedRounds::RunInTimeOrder(const Read& read) {
  while (!Full()) {
    Source* behind = nullptr;
    for (Source& source : sources_) {
      if (source.drained) continue;
      if (behind == nullptr || source.complete_until < behind->complete_until) behind = &source;
    }
    if (behind == nullptr) return {};
    ORRERY_TRY(ReadNext(read, *behind, 1));
  }
  return {};
}

Status FeedRounds::RunInTurns(const Read& read) {
  Status status;
  for (int round = 0; round < kRoundsMax && status.has_value() && !Full(); ++round) {
    size_t active = CountActive();
    for (size_t i = 0; i < sources_.size() && active > 0 && !Full(); ++i) {
      Source& source = sources_[turn_];
      if (!source.drained) {
        status = ReadNext(read, source, active);
        if (!status.has_value()) break;
        --active;
      }
      turn_ = (turn_ + 1) % sources_.size();
    }
    if (CountActive() == 0) break;
  }
  return status;
}

Status FeedRounds::ReadNext(const Read& read, Source& source, size_t active) {
  const size_t share = std::max<size_t>((limits_.items_max - entries_) / active, 1);
  const item::PageLimits room{.items_max = share,
                              .bytes_max = Left(limits_.bytes_max, bytes_),
                              .examined_max = Left(limits_.examined_max, examined_)};
  ORRERY_ASSIGN(const Taken taken, read(source, room));
  entries_ += taken.entries;
  bytes_ += taken.bytes;
  examined_ += taken.examined;
  source.position = taken.position;
  source.drained = taken.drained;
  source.complete_until = std::max(source.complete_until, taken.complete_until);
  return {};
}

std::vector<Continuation::Part> FeedRounds::Positions() const {
  std::vector<RingPiece> pieces;
  for (const Source& source : sources_) {
    const FeedPosition at{.lsn = source.position,
                          .complete_until = in_time_order_ ? source.complete_until : Micros(0)};
    pieces.push_back({source.piece.range, source.piece.partition, EncodeFeedPosition(at)});
  }
  return JoinPieces(pieces);
}

size_t FeedRounds::CountActive() const {
  return static_cast<size_t>(std::ranges::count(sources_, false, &Source::drained));
}

Micros FeedRounds::complete_until() const {
  if (sources_.empty()) return Micros(0);
  return std::ranges::min(sources_, {}, &Source::complete_until).complete_until;
}

bool FeedRounds::Full() const {
  return entries_ >= limits_.items_max || bytes_ >= limits_.bytes_max ||
         examined_ >= limits_.examined_max;
}

}  // namespace orrery::gateway
