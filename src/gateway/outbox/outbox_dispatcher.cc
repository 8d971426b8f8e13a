#include "gateway/outbox/outbox_dispatcher.h"

#include <memory>
#include <utility>

#include "base/has_code.h"
#include "base/mutex.h"
#include "gateway/remote/remote_gateway.h"
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

}  // namespace

// The derived writes of one entry while they are being delivered. Owned by those that are on their
// way.
class OutboxDispatcher::Delivery : public std::enable_shared_from_this<Delivery> {
 public:
  Delivery(const OutboxDispatcher& dispatcher, std::vector<item::DerivedWrite> derived_writes,
           Done done)
      : dispatcher_(dispatcher),
        derived_writes_(std::move(derived_writes)),
        done_(std::move(done)) {}

  // Sends what may be sent. One thread at a time does: an answer that comes while it does, also
  // from within Send, leaves the rest to it, so that the stack does not grow with the list.
  void Pump() EXCLUDES(mutex_) {
    while (const auto index = NextToSend()) {
      dispatcher_.Send(
          std::move(derived_writes_[*index]),
          [self = shared_from_this()](DeliveryResult result) { self->OnDelivered(result); });
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
    return status_.has_value() && next_ < derived_writes_.size() && in_flight_ < kInFlightMax;
  }

  void OnDelivered(const DeliveryResult& result) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      --in_flight_;
      charge_ += result.charge;
      if (status_.has_value()) status_ = result.status;
      if (pumping_) return;
      pumping_ = true;
    }
    Pump();
  }

  const OutboxDispatcher& dispatcher_;
  std::vector<item::DerivedWrite> derived_writes_;  // each is taken by whoever got its index
  Done done_;

  Mutex mutex_;
  size_t next_ GUARDED_BY(mutex_) = 0;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  bool pumping_ GUARDED_BY(mutex_) = true;  // whoever made it pumps first
  Status status_ GUARDED_BY(mutex_);
  RequestUnits charge_ GUARDED_BY(mutex_);
};

OutboxDispatcher::OutboxDispatcher(const Catalog& catalog, const WriteRouter& router,
                                   MetricsRegistry& metrics, RemoteGateway* remote,
                                   DeliverNext deliver_next)
    : catalog_(catalog),
      router_(router),
      dispatcher_(router),
      remote_(remote),
      deliver_next_(std::move(deliver_next)),
      delivered_(metrics.GetCounter("orrery_followers_total",
                                    "Changes that follow from writes, by what became of them.",
                                    {{"outcome", "delivered"}})),
      dropped_(metrics.GetCounter("orrery_followers_total",
                                  "Changes that follow from writes, by what became of them.",
                                  {{"outcome", "dropped"}})) {}

void OutboxDispatcher::Deliver(std::vector<item::DerivedWrite> derived_writes, Done done) const {
  std::make_shared<Delivery>(*this, std::move(derived_writes), std::move(done))->Pump();
}

OutboxDispatcher::DeliveryResult OutboxDispatcher::End(Status status, RequestUnits charge) const {
  // Its container was dropped, before or while it was on its way: so is the derived write.
  const bool gone = !status.has_value() && status.error().code() == Code::kNotFound;
  if (gone) status = {};
  if (status.has_value()) (gone ? dropped_ : delivered_).Add();
  return {std::move(status), charge};
}

void OutboxDispatcher::Send(item::DerivedWrite derived_write, DeliveryDone done) const {
  TryHere(std::move(derived_write),
          [this, done = std::move(done)](DeliveryResult result, item::DerivedWrite tried) mutable {
            if (HasCode(result.status, Code::kMoved))
              return Forward(std::move(tried), std::move(done));
            done(End(std::move(result.status), result.charge));
          });
}

void OutboxDispatcher::DeliverHere(item::DerivedWrite derived_write, Done done) const {
  TryHere(
      std::move(derived_write),
      [done = std::move(done)](DeliveryResult result, const item::DerivedWrite& /*tried*/) mutable {
        done(std::move(result.status), result.charge);
      });
}

void OutboxDispatcher::TryHere(item::DerivedWrite derived_write, TriedHere done) const {
  item::RowTransactionRequest request;
  Result<RoutedWrite> routed = Admit(derived_write, request);
  if (!routed.has_value())
    return done({Fail(std::move(routed).error()), {}}, std::move(derived_write));
  request.owed = true;
  if (derived_write.maintains_views) {
    const ViewMaintenanceHook* const hook = hook_.load(std::memory_order_acquire);
    if (hook != nullptr) {
      return TryWithViews(*hook, *std::move(routed), std::move(request), std::move(derived_write),
                          std::move(done));
    }
    router_.End(*routed, request.partition_key, RequestUnits());
    return done({Fail(Code::kUnavailable, "it is not known yet what depends on these rows"), {}},
                std::move(derived_write));
  }
  request.changes = std::move(derived_write.changes);
  dispatcher_.Send(*std::move(routed), std::move(request),
                   [derived_write = std::move(derived_write),
                    done = std::move(done)](Dispatcher::Completion completion) mutable {
                     item::RowTransaction& transaction = *completion.transaction;
                     if (!completion.status.has_value())
                       derived_write.changes = transaction.request().changes;
                     done({std::move(completion.status), transaction.charge()},
                          std::move(derived_write));
                   });
}

void OutboxDispatcher::TryWithViews(const ViewMaintenanceHook& hook, RoutedWrite routed,
                                    item::RowTransactionRequest request,
                                    item::DerivedWrite derived_write, TriedHere done) const {
  ViewMaintenanceHook::Plan plan = hook.PlanFor(derived_write);
  if (plan.program == nullptr) {
    request.changes = derived_write.changes;
  } else {
    request.program = std::move(plan.program);
  }
  dispatcher_.Send(
      std::move(routed), std::move(request),
      [this, pass = std::move(plan.pass), derived_write = std::move(derived_write),
       done = std::move(done)](Dispatcher::Completion completion) mutable {
        item::RowTransaction& transaction = *completion.transaction;
        const RequestUnits charge = transaction.charge();
        std::vector<item::DerivedWrite> next;
        if (completion.status.has_value()) next = transaction.TakeDerivedWrites();
        if (next.empty())
          return done({std::move(completion.status), charge}, std::move(derived_write));
        const auto& sent = transaction.request();
        deliver_next_({sent.schema->id, sent.hash, transaction.lsn()}, std::move(next),
                      [charge, pass = std::move(pass), derived_write = std::move(derived_write),
                       done = std::move(done)](Status status, RequestUnits more) mutable {
                        done({std::move(status), charge + more}, std::move(derived_write));
                      });
      });
}

void OutboxDispatcher::Forward(item::DerivedWrite derived_write, DeliveryDone done) const {
  const auto snapshot = catalog_.snapshot();
  const ContainerRef* found = snapshot->by_id.Find(derived_write.container);
  if (found == nullptr) return done(End(Fail(Code::kNotFound, "the container was dropped"), {}));
  if (remote_ == nullptr)
    return done(End(Fail(Code::kUnavailable, "another node has the partition"), {}));
  remote_->Deliver(*found, partition::CassandraPosition(derived_write.partition_key), derived_write,
                   [this, done = std::move(done)](Status status, RequestUnits charge) mutable {
                     done(End(std::move(status), charge));
                   });
}

Result<RoutedWrite> OutboxDispatcher::Admit(const item::DerivedWrite& derived_write,
                                            item::RowTransactionRequest& request) const {
  const auto snapshot = catalog_.snapshot();
  const ContainerRef* container = snapshot->by_id.Find(derived_write.container);
  if (container == nullptr || !(*container)->schema->rows.has_value()) {
    return Fail(Code::kNotFound, "there is no such container of rows");
  }
  ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(derived_write.partition_key, AnyKey()));
  ORRERY_ASSIGN(WriteAdmission admission, router_.Enter(*container));
  request.schema = admission.container().schema;
  request.hash = key.hash;
  request.partition_key = std::move(key.encoded);
  return router_.Admit(std::move(admission), key.hash, /*estimate=*/std::nullopt);
}

}  // namespace orrery::gateway
