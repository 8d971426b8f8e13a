// The change feed of rows: where it is, and what one partition has of it. feed_run.h makes pages of
// that.
//
// Internal to gateway/.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/feed_run.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/row/row_requests.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

struct RowFeedTarget {
  partition::HashRange range;
  std::optional<std::string> key;  // encoded; none: all of the range
};
Result<RowFeedTarget> TargetOf(const RowFeedSpec& spec, const partition::Limits& limits);

// One partition's part of a page.
struct RowFeedPieceAnswer {
  item::RowFeedPage page;
  RequestUnits charge;
};
struct RowFeedQuestion {
  const ContainerEntry& container;
  const std::optional<std::string>& key;  // as the target's
  const Metering& metering;
  Micros now;
};
// Reads it on the partition's budget. REQUIRES: the piece is open here.
Result<RowFeedPieceAnswer> ReadRowFeedPiece(const RowFeedQuestion& question, const RingPiece& piece,
                                            Lsn after, const item::PageLimits& room);

// A kind of FeedRun.
struct RowFeed {
  using Spec = RowFeedSpec;
  using Target = RowFeedTarget;
  using Answer = RowFeedPieceAnswer;
  using Response = RowFeedResponse;

  static Result<Answer> Read(const FeedParts<RowFeed>& parts, const RingPiece& piece, Lsn after,
                             const item::PageLimits& room);
  static Result<Answer> Ask(const FeedParts<RowFeed>& parts, const RingPiece& piece,
                            const FeedPlace& place);
  static size_t BytesOf(const item::RowFeedPage& page) { return page.bytes; }
};

}  // namespace orrery::gateway
