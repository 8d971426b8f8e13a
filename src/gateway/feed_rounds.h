// FeedRounds decides which partition gives the next entries of a page of a change feed, and how
// many; reading them is up to whoever uses it (feed_run.h).
//
// Each piece of the ring has a position of its own. A page goes round the pieces, each time giving
// every one that has more an equal share of the room that is left, and the next page begins with
// the piece after the last one that was read: a busy partition never keeps the others waiting. Or
// the piece that is behind in time is read first, so that no reader that merges the pieces by time
// has to keep much of the others.
//
// Internal to gateway/; lives for one call, on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/requests.h"
#include "item/container_schema.h"
#include "item/read/reader.h"

namespace orrery::gateway {

// The position before what a feed that begins now, or at a time, tells first. With `misses_none`
// possibly an earlier one, if the place of the time is not known. REQUIRES: the piece is open here.
Result<Lsn> FeedStart(const RingPiece& piece, FeedSpec::Start start, Micros start_time,
                      const item::ContainerSchema& schema, bool misses_none = false);

class FeedRounds {
 public:
  struct Source {
    RingPiece piece;
    Lsn position;
    bool drained = false;
    Micros complete_until{0};  // of what was read
  };
  // The result of one look at a source, and the source's position after it.
  struct Taken {
    size_t entries = 0;
    size_t bytes = 0;
    size_t examined = 0;
    Lsn position;
    bool drained = false;
    Micros complete_until{0};
  };
  using Read = std::function<Result<Taken>(const Source& source, const item::PageLimits& room)>;
  // Returns the start of the feed of a partition that another node has.
  using RemoteStart = std::function<Result<Lsn>(const RingPiece& piece)>;

  FeedRounds(std::vector<RingPiece> pieces, uint32_t turn, const item::PageLimits& limits,
             bool in_time_order);

  // Positions from where the feed is to start, or from the pieces' inner bytes. One of them before
  // Run.
  Status Begin(FeedSpec::Start start, Micros start_time, const item::ContainerSchema& schema,
               const RemoteStart& remote_start);
  Status Resume();

  // Calls `read` until the page is full or all is told. An error only when nothing was found before
  // it.
  Status Run(const Read& read);

  bool drained() const { return CountActive() == 0; }
  // Of all sources: FeedResponse::complete_until.
  Micros complete_until() const;
  // Returns where the next page goes on, and which part it begins with.
  std::vector<Continuation::Part> Positions() const;
  uint32_t turn() const { return static_cast<uint32_t>(turn_); }

 private:
  Status RunInTurns(const Read& read);
  // Always the source that is behind.
  Status RunInTimeOrder(const Read& read);
  Status ReadNext(const Read& read, Source& source, size_t active);
  size_t CountActive() const;
  bool Full() const;

  const item::PageLimits limits_;
  const bool in_time_order_;
  std::vector<Source> sources_;
  size_t turn_;
  size_t entries_ = 0;
  size_t bytes_ = 0;
  size_t examined_ = 0;
};

}  // namespace orrery::gateway
