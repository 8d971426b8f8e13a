// A FollowerCourier delivers followers: each by a transaction of its own to the partition that has
// its key, several at a time.
//
// They were admitted with the write that they follow from, so no budget refuses them: what they
// cost is charged to their own container, as a debt when need be, which later requests pay. A
// follower whose container is gone is dropped. One for a partition that another node has goes
// there. An attended one is delivered with what follows from it in turn.
//
// Thread-safe. Must outlive its deliveries.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/metrics.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "gateway/outbox/follower_attendant.h"
#include "gateway/write/write_carrier.h"
#include "gateway/write/write_trip.h"
#include "item/outbox/outbox.h"
#include "item/row/row_changes.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {

class RemoteDoor;

class FollowerCourier {
 public:
  // Of one delivery, on their way at once.
  static constexpr size_t kInFlightMax = 64;

  // `done` is called exactly once, from any thread or before this returns, with what all of them
  // cost. With an error some may have arrived and others not, as after kUnavailable; what is left
  // was not tried. It must not block.
  using Done = std::move_only_function<void(Status status, RequestUnits charge)>;
  // Delivers what follows from an attended follower, whose entry at `place` is durable.
  using DeliverNext = std::function<void(const item::OutboxPlace& place,
                                         std::vector<item::Follower> followers, Done done)>;

  // All must outlive it.
  FollowerCourier(const Catalog& catalog, const WriteRouter& router, MetricsRegistry& metrics,
                  RemoteDoor* remote, DeliverNext deliver_next);

  // Without one, attended followers are kUnavailable. It must outlive its programs.
  void SetAttendant(const FollowerAttendant* attendant) {
    attendant_.store(attendant, std::memory_order_release);
  }

  void Deliver(std::vector<item::Follower> followers, Done done) const;
  // One, to a partition that is open here; kMoved when it is not.
  void DeliverHere(item::Follower follower, Done done) const;

 private:
  class Delivery;
  using Carrier = WriteCarrier<item::RowTransaction>;

  struct Arrival {
    Status status;
    RequestUnits charge;
  };
  using ArrivalDone = std::move_only_function<void(Arrival)>;
  void Send(item::Follower follower, ArrivalDone done) const;
  // To a partition that is open here: else kMoved, with the follower.
  using TriedHere = std::move_only_function<void(Arrival, item::Follower)>;
  void TryHere(item::Follower follower, TriedHere done) const;
  void TryAttended(const FollowerAttendant& attendant, WriteTrip trip,
                   item::RowTransactionRequest request, item::Follower follower,
                   TriedHere done) const;
  // To the node that has the partition.
  void Forward(item::Follower follower, ArrivalDone done) const;
  // What became of one, counted.
  Arrival End(Status status, RequestUnits charge) const;
  Result<WriteTrip> Admit(const item::Follower& follower,
                          item::RowTransactionRequest& request) const;

  const Catalog& catalog_;
  const WriteRouter& router_;
  const Carrier carrier_;
  RemoteDoor* const remote_;  // may be null
  const DeliverNext deliver_next_;
  std::atomic<const FollowerAttendant*> attendant_{nullptr};
  Counter& delivered_;
  Counter& dropped_;
};

}  // namespace orrery::gateway
