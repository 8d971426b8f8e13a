// The change feed of documents: where it is, and what one partition has of it. feed_run.h makes
// pages of that.
//
// Internal to gateway/.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "gateway/feed_run.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/requests.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

struct FeedTarget {
  partition::HashRange range;
  std::string key;  // encoded; empty for all
};
Result<FeedTarget> TargetOf(const item::ContainerSchema& schema, const FeedSpec& spec,
                            const partition::Limits& limits);

// One partition's part of a page.
struct FeedPieceAnswer {
  item::FeedPage page;
  RequestUnits charge;
};
struct FeedQuestion {
  const ContainerEntry& container;
  item::FeedMode mode;
  const std::string& key;           // as the target's
  const model::Expression* filter;  // FeedSpec::filter; null: none
  bool tells_time = false;          // FeedSpec::in_time_order
  const Metering& metering;
  Micros now;
};
// Reads it on the partition's budget. REQUIRES: the piece is open here.
Result<FeedPieceAnswer> ReadFeedPiece(const FeedQuestion& question, const RingPiece& piece,
                                      Lsn after, const item::PageLimits& room);

// A kind of FeedRun.
struct DocumentFeed {
  using Spec = FeedSpec;
  using Target = FeedTarget;
  using Answer = FeedPieceAnswer;
  using Response = FeedResponse;

  static Result<Answer> Read(const FeedParts<DocumentFeed>& parts, const RingPiece& piece,
                             Lsn after, const item::PageLimits& room);
  static Result<Answer> Ask(const FeedParts<DocumentFeed>& parts, const RingPiece& piece,
                            const FeedPlace& place);
  static size_t BytesOf(const item::FeedPage& page);
};

}  // namespace orrery::gateway
