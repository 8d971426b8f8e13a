// A RowFeedRun makes one page of the change feed of rows out of several partitions, in turns
// (feed_rounds.h). Entries of one partition are in LSN order. Its neighbour feed_run.h does the
// same for documents.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/feed_rounds.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/row/row_requests.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

class RemoteDoor;
struct FeedPlace;

struct RowFeedTarget {
  partition::HashRange range;
  std::optional<std::string> key;  // encoded; none: all of the range
};
Result<RowFeedTarget> TargetOf(const RowFeedSpec& spec, const partition::Limits& limits);

// What one partition gives for a page.
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

class RowFeedRun {
 public:
  struct Parts {
    const ContainerEntry& container;
    const RowFeedSpec& spec;
    const RowFeedTarget& target;
    const Metering& metering;
    Micros now;
    RemoteDoor* remote = nullptr;  // for pieces that are not open here
  };
  RowFeedRun(const Parts& parts, std::vector<RingPiece> pieces, uint32_t turn)
      : parts_(parts), rounds_(std::move(pieces), turn, parts.spec.limits) {}

  // From where the spec wants to start, or from the pieces' inner bytes. One of them before Run.
  Status Begin();
  Status Resume() { return rounds_.Resume(); }

  // The page, without its continuation. An error only when nothing was found before it.
  Result<RowFeedResponse> Run();
  // Where the next page goes on, and which part it begins with.
  std::vector<Continuation::Part> Positions() const { return rounds_.Positions(); }
  uint32_t turn() const { return rounds_.turn(); }

 private:
  Result<FeedRounds::Taken> Read(const FeedRounds::Source& source, const item::PageLimits& room);
  Result<RowFeedPieceAnswer> ReadPiece(const FeedRounds::Source& source,
                                       const item::PageLimits& room) const;
  Result<RowFeedPieceAnswer> Ask(const RingPiece& piece, const FeedPlace& place) const;

  const Parts parts_;
  FeedRounds rounds_;
  RowFeedResponse response_;
};

}  // namespace orrery::gateway
