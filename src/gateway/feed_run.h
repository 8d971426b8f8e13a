// A FeedRun makes one page of the change feed of documents out of several partitions, in turns
// (feed_rounds.h). Entries of one partition are in LSN order.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "gateway/feed_rounds.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/requests.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

class RemoteDoor;
struct FeedPlace;

struct FeedTarget {
  partition::HashRange range;
  std::string key;  // encoded; empty for all
};
Result<FeedTarget> TargetOf(const item::ContainerSchema& schema, const FeedSpec& spec,
                            const partition::Limits& limits);

// What one partition gives for a page.
struct FeedPieceAnswer {
  item::FeedPage page;
  RequestUnits charge;
};
struct FeedQuestion {
  const ContainerEntry& container;
  item::FeedMode mode;
  const std::string& key;  // as the target's
  const Metering& metering;
  Micros now;
};
// Reads it on the partition's budget. REQUIRES: the piece is open here.
Result<FeedPieceAnswer> ReadFeedPiece(const FeedQuestion& question, const RingPiece& piece,
                                      Lsn after, const item::PageLimits& room);

class FeedRun {
 public:
  struct Parts {
    const ContainerEntry& container;
    const FeedSpec& spec;
    const FeedTarget& target;
    const Metering& metering;
    Micros now;
    RemoteDoor* remote = nullptr;  // for pieces that are not open here
  };
  FeedRun(const Parts& parts, std::vector<RingPiece> pieces, uint32_t turn)
      : parts_(parts), rounds_(std::move(pieces), turn, parts.spec.limits) {}

  // From where the spec wants to start, or from the pieces' inner bytes. One of them before Run.
  Status Begin();
  Status Resume() { return rounds_.Resume(); }

  // The page, without its continuation. An error only when nothing was found before it.
  Result<FeedResponse> Run();
  // Where the next page goes on, and which part it begins with.
  std::vector<Continuation::Part> Positions() const { return rounds_.Positions(); }
  uint32_t turn() const { return rounds_.turn(); }

 private:
  Result<FeedRounds::Taken> Read(const FeedRounds::Source& source, const item::PageLimits& room);
  Result<FeedPieceAnswer> ReadPiece(const FeedRounds::Source& source,
                                    const item::PageLimits& room) const;
  Result<FeedPieceAnswer> Ask(const RingPiece& piece, const FeedPlace& place) const;

  const Parts parts_;
  FeedRounds rounds_;
  FeedResponse response_;
};

}  // namespace orrery::gateway
