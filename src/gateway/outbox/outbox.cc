#include "gateway/outbox/outbox.h"

#include <utility>

namespace orrery::gateway {

Outbox::Outbox(const Parts& parts)
    : dispatcher_(
          parts.catalog, parts.router, parts.metrics, parts.remote,
          [this](const item::OutboxPlace& place, std::vector<item::DerivedWrite> derived_writes,
                 OutboxDispatcher::Done done) {
            Deliver(place, std::move(derived_writes), std::move(done));
          }),
      repair_(parts.catalog, parts.node, dispatcher_, parts.clock, parts.metrics),
      removals_(parts.node, [this](const item::OutboxPlace& place) { repair_.Mark(place); }) {}

void Outbox::Deliver(const item::OutboxPlace& place, std::vector<item::DerivedWrite> derived_writes,
                     OutboxDispatcher::Done done) {
  dispatcher_.Deliver(std::move(derived_writes), [this, place, done = std::move(done)](
                                                     Status status, RequestUnits charge) mutable {
    if (status.has_value()) {
      removals_.Add(place);
    } else {
      repair_.Mark(place);
    }
    done(std::move(status), charge);
  });
}

void Outbox::Round() {
  removals_.Flush();
  repair_.Round();
}

void Outbox::WaitUntilIdle() {
  removals_.WaitUntilIdle();
  repair_.WaitUntilIdle();
}

void Outbox::Stop() {
  repair_.Stop();
  removals_.Flush();
  removals_.WaitUntilIdle();
}

}  // namespace orrery::gateway
