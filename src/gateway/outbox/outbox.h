// The Outbox sees to it that what follows from a write happens, all of it, however long that takes.
//
// After a write with derived writes was committed, they are delivered at once (OutboxDispatcher),
// then their entry is taken out of the partition's outbox (OutboxRemovals). What fails or is cut
// short is done in the background (OutboxRepair). So every derived write is delivered at least
// once; item/row/row_changes.h says why more than once, and in any order, does no harm.
//
// Thread-safe. Stop() before the node stops; destroy after it.
#pragma once

#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "gateway/outbox/outbox_dispatcher.h"
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
    RemoteGateway* remote = nullptr;  // to other nodes; none on a single machine
  };
  explicit Outbox(const Parts& parts);

  // Sets the hook that maintains the views of derived writes; may be null. It must outlive the
  // programs that it makes.
  void SetViewMaintenanceHook(const ViewMaintenanceHook* hook) {
    dispatcher_.SetViewMaintenanceHook(hook);
  }

  // For the entry at `place`, which is durable. `done` as OutboxDispatcher has it: after success
  // every reader sees the derived writes. After an error they will come by themselves.
  void Deliver(const item::OutboxPlace& place, std::vector<item::DerivedWrite> derived_writes,
               OutboxDispatcher::Done done);

  // One derived write that another node sends, to a partition that is open here; else kMoved, and
  // it was not delivered. `done` as above.
  void DeliverHere(item::DerivedWrite derived_write, OutboxDispatcher::Done done) const {
    dispatcher_.DeliverHere(std::move(derived_write), std::move(done));
  }

  // One round of maintenance: removes what is done, looks for what is left. The core calls it every
  // second, and once when it opens. Does not block.
  void Round();
  // Waits for what Round began. For tests and tools.
  void WaitUntilIdle();

  // Ends the background work; entries that are left are found at the next start.
  void Stop();

 private:
  OutboxDispatcher dispatcher_;
  OutboxRepair repair_;
  OutboxRemovals removals_;
};

}  // namespace orrery::gateway
