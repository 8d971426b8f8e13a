// A OutboxDispatcher delivers derived writes: each by a transaction of its own to the partition
// that has its key, several at a time.
//
// They were admitted with the write that they follow from, so no budget refuses them: what they
// cost is charged to their own container, as a debt when need be, which later requests pay. A
// derived write whose container is gone is dropped. One for a partition that another node has goes
// there. One that maintains views is delivered with what follows from it in turn.
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
#include "gateway/outbox/view_maintenance_hook.h"
#include "gateway/write/routed_write.h"
#include "gateway/write/write_dispatcher.h"
#include "item/outbox/outbox.h"
#include "item/row/row_changes.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {

class RemoteGateway;

class OutboxDispatcher {
 public:
  // Of one delivery, on their way at once.
  static constexpr size_t kInFlightMax = 64;

  // `done` is called exactly once, from any thread or before this returns, with what all of them
  // cost. With an error some may have arrived and others not, as after kUnavailable; what is left
  // was not tried. It must not block.
  using Done = std::move_only_function<void(Status status, RequestUnits charge)>;
  // Delivers what follows from a derived write that maintains views, whose entry at `place` is
  // durable.
  using DeliverNext = std::function<void(
      const item::OutboxPlace& place, std::vector<item::DerivedWrite> derived_writes, Done done)>;

  // All must outlive it.
  OutboxDispatcher(const Catalog& catalog, const WriteRouter& router, MetricsRegistry& metrics,
                   RemoteGateway* remote, DeliverNext deliver_next);

  // Without one, derived writes that maintain views are kUnavailable. It must outlive its programs.
  void SetViewMaintenanceHook(const ViewMaintenanceHook* hook) {
    hook_.store(hook, std::memory_order_release);
  }

  void Deliver(std::vector<item::DerivedWrite> derived_writes, Done done) const;
  // One, to a partition that is open here; kMoved when it is not.
  void DeliverHere(item::DerivedWrite derived_write, Done done) const;

 private:
  class Delivery;
  using Dispatcher = WriteDispatcher<item::RowTransaction>;

  struct DeliveryResult {
    Status status;
    RequestUnits charge;
  };
  using DeliveryDone = std::move_only_function<void(DeliveryResult)>;
  void Send(item::DerivedWrite derived_write, DeliveryDone done) const;
  // To a partition that is open here: else kMoved, with the derived write.
  using TriedHere = std::move_only_function<void(DeliveryResult, item::DerivedWrite)>;
  void TryHere(item::DerivedWrite derived_write, TriedHere done) const;
  void TryWithViews(const ViewMaintenanceHook& hook, RoutedWrite routed,
                    item::RowTransactionRequest request, item::DerivedWrite derived_write,
                    TriedHere done) const;
  // To the node that has the partition.
  void Forward(item::DerivedWrite derived_write, DeliveryDone done) const;
  // Counts the outcome of one and returns it.
  DeliveryResult End(Status status, RequestUnits charge) const;
  Result<RoutedWrite> Admit(const item::DerivedWrite& derived_write,
                            item::RowTransactionRequest& request) const;

  const Catalog& catalog_;
  const WriteRouter& router_;
  const Dispatcher dispatcher_;
  RemoteGateway* const remote_;  // may be null
  const DeliverNext deliver_next_;
  std::atomic<const ViewMaintenanceHook*> hook_{nullptr};
  Counter& delivered_;
  Counter& dropped_;
};

}  // namespace orrery::gateway
