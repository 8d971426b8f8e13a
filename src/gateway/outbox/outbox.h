// The Outbox sees to it that what follows from a write happens, all of it, however long that takes.
//
// After a write with followers was committed, they are delivered at once (FollowerCourier), then
// their entry is taken out of the partition's outbox (OutboxRemovals). What fails or is cut short
// is done in the background (OutboxRepair). So every follower is delivered at least once;
// item/row/row_changes.h says why more than once, and in any order, does no harm.
//
// Thread-safe. Stop() before the node stops; destroy after it.
#pragma once

#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "gateway/outbox/follower_courier.h"
#include "gateway/outbox/outbox_removals.h"
#include "gateway/outbox/outbox_repair.h"

namespace orrery::gateway {

class Outbox {
 public:
  // All must outlive it.
  struct Parts {
    const Catalog& catalog;
    const cluster::Node& node;
    const WriteRouter& router;
    const Clock& clock;
    MetricsRegistry& metrics;
    RemoteDoor* remote = nullptr;  // to other nodes; none on a single machine
  };
  explicit Outbox(const Parts& parts);

  // Who attends to followers, null: nobody. It must outlive the programs that it makes.
  void SetAttendant(const FollowerAttendant* attendant) { courier_.SetAttendant(attendant); }

  // For the entry at `place`, which is durable. `done` as FollowerCourier has it: after success
  // every reader sees the followers. After an error they will come by themselves.
  void Deliver(const item::OutboxPlace& place, std::vector<item::Follower> followers,
               FollowerCourier::Done done);

  // One follower that another node sends, to a partition that is open here; else kMoved, and it was
  // not delivered. `done` as above.
  void DeliverHere(item::Follower follower, FollowerCourier::Done done) const {
    courier_.DeliverHere(std::move(follower), std::move(done));
  }

  // One round of upkeep: removes what is done, looks for what is left. The core calls it every
  // second, and once when it opens. Does not block.
  void Round();
  // Waits for what Round began. For tests and tools.
  void WaitUntilIdle();

  // Ends the background work; entries that are left are found at the next start.
  void Stop();

 private:
  FollowerCourier courier_;
  OutboxRepair repair_;
  OutboxRemovals removals_;
};

}  // namespace orrery::gateway
