// A FeedRun makes one page of the change feed out of several partitions.
//
// Each piece of the ring has a position of its own. A page goes round the pieces, each time giving
// every one that has more an equal share of the room that is left, and the next page begins with
// the piece after the last one that was read: a busy partition never keeps the others waiting.
// Entries of one partition are in LSN order.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
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

class FeedRun {
 public:
  struct Parts {
    const ContainerEntry& container;
    const FeedSpec& spec;
    const FeedTarget& target;
    const Metering& metering;
    Micros now;
  };
  FeedRun(const Parts& parts, std::vector<RingPiece> pieces, uint32_t turn);

  // Positions from where the spec wants to start, or from the pieces' inner bytes. One of them
  // before Run.
  Status Begin();
  Status Resume();

  // The page, without its continuation. An error only when nothing was found before it.
  Result<FeedResponse> Run();
  // Where the next page goes on, and which part it begins with.
  std::vector<Continuation::Part> Positions() const;
  uint32_t turn() const { return static_cast<uint32_t>(turn_); }

 private:
  struct Source {
    RingPiece piece;
    Lsn position;
    bool drained = false;
  };

  Status Read(Source& source, size_t share);
  size_t CountActive() const;
  bool Full() const;

  const Parts parts_;
  std::vector<Source> sources_;
  size_t turn_;
  FeedResponse response_;
  size_t bytes_ = 0;
  size_t looked_at_ = 0;
};

}  // namespace orrery::gateway
