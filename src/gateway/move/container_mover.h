// A ContainerMover carries out one move: all items of a container into a new one, with another key
// or throughput, while writers go on; then the new one takes the name.
//
//   copy     all items are read in ring order and created in the target
//   follow   the change feed, from before the copy began, says what was written meanwhile
//   compare  writers are held up for a moment at which both agree, and a snapshot of both is
//            compared by digest while they go on
//   switch   writers are held up again, the last changes are followed, and one commit of the
//            catalog makes the target what the name means
//
// The record (move_record.h) is stored now and then, so that a restart goes on from there; what is
// done twice does no harm. Until the switch nothing but the feed's retention is changed about the
// source, and a move that is given up leaves it as it was.
//
// One thread, but for Stop and Cancel.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/request_context.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "gateway/gateway.h"
#include "gateway/move/item_mover.h"
#include "gateway/move/move_pause.h"
#include "gateway/move/move_record.h"
#include "gateway/row/row_gateway.h"

namespace orrery::gateway {

class ContainerMover {
 public:
  // Writers are held up no longer than this at a time; with more to follow the pause is given up
  // and tried again.
  static constexpr std::chrono::milliseconds kPauseMax{600};
  // Pauses that were given up, in a row.
  static constexpr int kPausesMax = 50;
  // Items that wait for others to leave their place.
  static constexpr size_t kDeferredMax = 100'000;

  struct Parts {
    Gateway& gateway;  // on the containers' budgets
    Gateway& unmetered;
    RowGateway& rows;
    partition::Reservations& reservations;
    const Clock& clock;
    // Stores how far it is; fails when it cannot.
    std::function<Status(const MoveRecord&)> save;
  };
  // All must outlive it.
  ContainerMover(const Parts& parts, MoveRecord record);

  // Returns when the target has the name, or with the reason why not: kCancelled after Stop, and
  // then a later mover goes on from the record.
  Status Run();
  void Stop() { origin_->Cancel(StopReason::kServerStopping); }

  const MoveRecord& record() const { return record_; }

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  Status Open();
  // Takes the newest entries of both containers.
  Status Refresh();
  Status Copy();
  Status CopyPage(const ScanResponse& page);
  // Follows the feed until nothing is left of it, by one page at a time. kOverloaded: the time was
  // up before.
  Status Follow(Gateway& gateway, std::optional<Deadline> until);
  Status FollowPage(Gateway& gateway, std::vector<item::FeedEntry> entries);
  // Tries items again that were in each other's way.
  Status SettleDeferred(Gateway& gateway);
  // Finds what is left of items whose former version the feed did not tell.
  Status RemoveLeftovers(Gateway& gateway);
  // Holds writers up and follows to the end. False: it took too long, and they go on.
  Result<bool> Pause(MovePause& pause);
  Status PauseAgainAndAgain(MovePause& pause);
  Status Compare(MovePause& pause);
  Result<std::string> DigestOfSide(Gateway& gateway, const ContainerRef& container,
                                   uint64_t& items);
  Status Switch(MovePause& pause);
  Status SaveNowAndThen();
  Status Save();

  const Parts parts_;
  MoveRecord record_;
  const std::shared_ptr<RequestOrigin> origin_;
  RequestContext stop_;
  ContainerRef source_;
  ContainerRef target_;
  ThreadPool pool_;
  std::map<std::string, item::ItemKey> deferred_;  // by their bytes
  std::map<std::string, item::ItemKey> unlocated_;  // whose former version is not known
  bool look_at_all_ = false;  // at all items of the target, for what is left of former versions
  std::chrono::steady_clock::time_point saved_;
};

}  // namespace orrery::gateway
