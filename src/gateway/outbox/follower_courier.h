// A FollowerCourier delivers followers: each by a transaction of its own to the partition that has
// its key, several at a time.
//
// They were admitted with the write that they follow from, so no budget refuses them: what they
// cost is charged to their own container, as a debt when need be, which later requests pay. A
// follower whose container is gone is dropped. One for a partition that another node has goes
// there.
//
// Thread-safe. Must outlive its deliveries.
#pragma once

#include <functional>
#include <vector>

#include "base/metrics.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"
#include "gateway/write/write_carrier.h"
#include "gateway/write/write_trip.h"
#include "item/row/row_changes.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {

class RemoteDoor;

class FollowerCourier {
 public:
  // Of one delivery, on their way at once.
  static constexpr size_t kInFlightMax = 64;

  // All must outlive it.
  FollowerCourier(const Catalog& catalog, const WriteRouter& router, MetricsRegistry& metrics,
                  RemoteDoor* remote);

  // `done` is called exactly once, from any thread or before this returns, with what all of them
  // cost. With an error some may have arrived and others not, as after kUnavailable; what is left
  // was not tried. It must not block.
  using Done = std::move_only_function<void(Status status, RequestUnits charge)>;
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
  void Send(item::Follower follower, std::move_only_function<void(Arrival)> done) const;
  // To the node that has the partition.
  void Forward(ContainerId container, std::string partition_key, const item::RowChanges& changes,
               std::move_only_function<void(Arrival)> done) const;
  // What became of one, counted.
  Arrival End(Status status, RequestUnits charge) const;
  Result<WriteTrip> Admit(const item::Follower& follower,
                          item::RowTransactionRequest& request) const;

  const Catalog& catalog_;
  const WriteRouter& router_;
  const Carrier carrier_;
  RemoteDoor* const remote_;  // may be null
  Counter& delivered_;
  Counter& dropped_;
};

}  // namespace orrery::gateway
