// A ChangeStream tells what happens to the documents and collections in a scope, in the order of
// the cluster clock.
//
// Each container in scope has a lane: its feed of all versions, read in pages. An event is given
// when no lane, and not the catalog, can still have an earlier one (complete_until of the feed,
// EventsCompleteUntil of the catalog). Events of one time are in the order of their tokens, which
// all readers agree on. Collections that come later get lanes, those that were dropped keep theirs
// until they are read; the events of the catalog say which name a container had when.
//
// Positions are times. So a stream goes on anywhere after splits, merges, moves and restarts, from
// the token of any event. Blocks; used by one thread at a time. The gateway must outlive it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/executor/cursor/tail.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/executor/stream/change_event.h"
#include "api/mongo/executor/stream/resume_token.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

struct StreamStart {
  // Events whose tokens come after this text.
  std::string after;
  Micros time{0};  // none of them is earlier
  // The event of that token must be there: else it is not one of this stream.
  bool must_be_there = false;
};

class ChangeStream {
 public:
  ChangeStream(gateway::Gateway& gateway, StreamScope scope, EventOptions options,
               StreamStart start, std::shared_ptr<RunState> state);

  struct Event {
    std::string token;
    model::Document document;
  };
  // Returns the next event; nullopt if there is none now. kChangeStreamHistoryLost if events may
  // have been forgotten, kChangeStreamFatalError if the start is not an event of this stream.
  Answer<std::optional<Event>> Next();

  // Returns whether the stream was invalidated and that was told.
  bool has_ended() const { return has_ended_; }
  // The token from which a later stream goes on.
  const std::string& position() const { return position_; }
  std::vector<ContainerId> containers() const;

 private:
  // The limits of one look at a lane, and of what is kept of all until it can be told.
  static constexpr size_t kLanePageItems = 1'000;
  static constexpr size_t kPendingBytesMax = size_t{64} << 20;
  static constexpr size_t kCatalogEventsAtOnce = 10'000;
  // Events that are enough to stop reading lanes.
  static constexpr size_t kReadyEnough = 1'000;

  struct Lane {
    CollectionPtr collection;
    std::string continuation;
    Micros complete_until{0};
    std::optional<Micros> end;  // it was dropped: later changes do not count
    Namespace name;             // as of the event that is told next
    bool is_drained = false;    // in this round
  };
  struct Pending {
    Micros time{0};
    ContainerId container{};
    std::optional<item::FeedEntry> entry;  // else:
    std::optional<gateway::CatalogEvent> catalog;
    size_t bytes = 0;
  };

  // Reads what there is.
  Outcome Pull();
  Outcome ReadCatalog();
  // `is_first`: the stream begins.
  Outcome AddLane(const gateway::ContainerRef& container, bool is_first);
  Outcome CheckHistory(const gateway::ContainerEntry& container) const;
  Outcome ReadLane(ContainerId id, Lane& lane);
  void Keep(std::string token, Pending pending);
  // The next that can be told, in its turn: nullopt if it is not told after all.
  Answer<std::optional<Event>> Tell(const std::string& token, Pending pending);
  Answer<std::optional<Event>> TellOfCatalog(const std::string& token,
                                             const gateway::CatalogEvent& event);
  bool IsInvalidatedBy(const gateway::CatalogEvent& event) const;
  bool IsReady() const {
    return !pending_.empty() && pending_.begin()->second.time <= complete_until_;
  }

  gateway::Gateway& gateway_;
  const StreamScope scope_;
  const EventOptions options_;
  const StreamStart start_;
  const std::shared_ptr<RunState> state_;

  std::map<ContainerId, Lane> lanes_;
  std::map<ContainerId, model::Value> uuids_;
  std::shared_ptr<const gateway::CatalogSnapshot> catalog_;  // whose containers have lanes
  Micros catalog_read_{0};                                   // events up to here are pending
  Micros catalog_complete_{0};
  Micros complete_until_{0};                // of all
  std::map<std::string, Pending> pending_;  // by token
  size_t pending_bytes_ = 0;
  std::optional<Event> invalidation_;  // follows the event that was told last
  bool start_was_there_ = false;
  bool has_ended_ = false;
  std::string position_;
};

}  // namespace orrery::mongo
