#include "gateway/outbox/follower_courier.h"

#include <memory>
#include <utility>

#include "base/mutex.h"
#include "gateway/remote/remote_door.h"
#include "gateway/row/row_keys.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {
namespace {

// Keys were checked against the limit in force when the write was taken; only what cannot be a key
// at all is refused now.
partition::Limits AnyKey() {
  partition::Limits limits;
  limits.partition_key_bytes_max = UINT16_MAX;
  return limits;
}

bool IsMoved(const Error& error) { return error.code() == Code::kMoved; }

}  // namespace

// The followers of one entry while they are being delivered. Owned by those that are on their way.
class FollowerCourier::Delivery : public std::enable_shared_from_this<Delivery> {
 public:
  Delivery(const FollowerCourier& courier, std::vector<item::Follower> followers, Done done)
      : courier_(courier), followers_(std::move(followers)), done_(std::move(done)) {}

  // Sends what may be sent. One thread at a time does: an answer that comes while it does, also
  // from within Send, leaves the rest to it, so that the stack does not grow with the list.
  void Pump() EXCLUDES(mutex_) {
    while (const auto index = NextToSend()) {
      courier_.Send(std::move(followers_[*index]),
                    [self = shared_from_this()](Arrival arrival) { self->Arrive(arrival); });
    }
  }

 private:
  std::optional<size_t> NextToSend() EXCLUDES(mutex_) {
    Status status;
    RequestUnits charge;
    {
      MutexLock lock(mutex_);
      if (CanSendLocked()) {
        ++in_flight_;
        return next_++;
      }
      pumping_ = false;
      if (in_flight_ > 0) return std::nullopt;
      status = std::move(status_);
      charge = charge_;
    }
    done_(std::move(status), charge);
    return std::nullopt;
  }

  bool CanSendLocked() const REQUIRES(mutex_) {
    return status_.has_value() && next_ < followers_.size() && in_flight_ < kInFlightMax;
  }

  void Arrive(const Arrival& arrival) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      --in_flight_;
      charge_ += arrival.charge;
      if (status_.has_value()) status_ = arrival.status;
      if (pumping_) return;
      pumping_ = true;
    }
    Pump();
  }

  const FollowerCourier& courier_;
  std::vector<item::Follower> followers_;  // each is taken by whoever got its index
  Done done_;

  Mutex mutex_;
  size_t next_ GUARDED_BY(mutex_) = 0;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  bool pumping_ GUARDED_BY(mutex_) = true;  // whoever made it pumps first
  Status status_ GUARDED_BY(mutex_);
  RequestUnits charge_ GUARDED_BY(mutex_);
};

FollowerCourier::FollowerCourier(const Catalog& catalog, const WriteRouter& router,
                                 MetricsRegistry& metrics, RemoteDoor* remote,
                                 DeliverNext deliver_next)
    : catalog_(catalog),
      router_(router),
      carrier_(router),
      remote_(remote),
      deliver_next_(std::move(deliver_next)),
      delivered_(metrics.GetCounter("orrery_followers_total",
                                    "Changes that follow from writes, by what became of them.",
                                    {{"outcome", "delivered"}})),
      dropped_(metrics.GetCounter("orrery_followers_total",
                                  "Changes that follow from writes, by what became of them.",
                                  {{"outcome", "dropped"}})) {}

void FollowerCourier::Deliver(std::vector<item::Follower> followers, Done done) const {
  std::make_shared<Delivery>(*this, std::move(followers), std::move(done))->Pump();
}

FollowerCourier::Arrival FollowerCourier::End(Status status, RequestUnits charge) const {
  // Its container was dropped, before or while it was on its way: so is the follower.
  const bool gone = !status.has_value() && status.error().code() == Code::kNotFound;
  if (gone) status = {};
  if (status.has_value()) (gone ? dropped_ : delivered_).Add();
  return {std::move(status), charge};
}

void FollowerCourier::Send(item::Follower follower, ArrivalDone done) const {
  TryHere(std::move(follower),
          [this, done = std::move(done)](Arrival arrival, item::Follower tried) mutable {
            if (!arrival.status.has_value() && IsMoved(arrival.status.error()))
              return Forward(std::move(tried), std::move(done));
            done(End(std::move(arrival.status), arrival.charge));
          });
}

void FollowerCourier::DeliverHere(item::Follower follower, Done done) const {
  TryHere(std::move(follower),
          [done = std::move(done)](Arrival arrival, const item::Follower& /*tried*/) mutable {
            done(std::move(arrival.status), arrival.charge);
          });
}

void FollowerCourier::TryHere(item::Follower follower, TriedHere done) const {
  item::RowTransactionRequest request;
  Result<WriteTrip> trip = Admit(follower, request);
  if (!trip.has_value()) return done({Fail(std::move(trip).error()), {}}, std::move(follower));
  request.owed = true;
  if (follower.attended) {
    const FollowerAttendant* const attendant = attendant_.load(std::memory_order_acquire);
    if (attendant != nullptr) {
      return TryAttended(*attendant, *std::move(trip), std::move(request), std::move(follower),
                         std::move(done));
    }
    router_.End(*trip, request.partition_key, RequestUnits());
    return done({Fail(Code::kUnavailable, "it is not known yet what depends on these rows"), {}},
                std::move(follower));
  }
  request.changes = std::move(follower.changes);
  carrier_.Send(
      *std::move(trip), std::move(request),
      [follower = std::move(follower), done = std::move(done)](Carrier::Arrival arrival) mutable {
        item::RowTransaction& transaction = *arrival.transaction;
        if (!arrival.status.has_value()) follower.changes = transaction.request().changes;
        done({std::move(arrival.status), transaction.charge()}, std::move(follower));
      });
}

void FollowerCourier::TryAttended(const FollowerAttendant& attendant, WriteTrip trip,
                                  item::RowTransactionRequest request, item::Follower follower,
                                  TriedHere done) const {
  FollowerAttendant::Attendance attendance = attendant.Attend(follower);
  if (attendance.program == nullptr) {
    request.changes = follower.changes;
  } else {
    request.program = std::move(attendance.program);
  }
  carrier_.Send(std::move(trip), std::move(request),
                [this, pass = std::move(attendance.pass), follower = std::move(follower),
                 done = std::move(done)](Carrier::Arrival arrival) mutable {
                  item::RowTransaction& transaction = *arrival.transaction;
                  const RequestUnits charge = transaction.charge();
                  std::vector<item::Follower> next;
                  if (arrival.status.has_value()) next = transaction.TakeFollowers();
                  if (next.empty())
                    return done({std::move(arrival.status), charge}, std::move(follower));
                  const auto& sent = transaction.request();
                  deliver_next_({sent.schema->id, sent.hash, transaction.lsn()}, std::move(next),
                                [charge, pass = std::move(pass), follower = std::move(follower),
                                 done = std::move(done)](Status status, RequestUnits more) mutable {
                                  done({std::move(status), charge + more}, std::move(follower));
                                });
                });
}

void FollowerCourier::Forward(item::Follower follower, ArrivalDone done) const {
  const auto snapshot = catalog_.snapshot();
  const ContainerRef* found = snapshot->by_id.Find(follower.container);
  if (found == nullptr) return done(End(Fail(Code::kNotFound, "the container was dropped"), {}));
  if (remote_ == nullptr)
    return done(End(Fail(Code::kUnavailable, "another node has the partition"), {}));
  remote_->Deliver(*found, partition::CassandraPosition(follower.partition_key), follower,
                   [this, done = std::move(done)](Status status, RequestUnits charge) mutable {
                     done(End(std::move(status), charge));
                   });
}

Result<WriteTrip> FollowerCourier::Admit(const item::Follower& follower,
                                         item::RowTransactionRequest& request) const {
  const auto snapshot = catalog_.snapshot();
  const ContainerRef* container = snapshot->by_id.Find(follower.container);
  if (container == nullptr || !(*container)->schema->rows.has_value()) {
    return Fail(Code::kNotFound, "there is no such container of rows");
  }
  ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(follower.partition_key, AnyKey()));
  ORRERY_ASSIGN(GatePass gate, router_.Enter(*container));
  request.schema = gate.container().schema;
  request.hash = key.hash;
  request.partition_key = std::move(key.encoded);
  return router_.Admit(std::move(gate), key.hash, /*estimate=*/std::nullopt);
}

}  // namespace orrery::gateway
