#include "gateway/outbox/outbox.h"

#include <utility>

namespace orrery::gateway {

Outbox::Outbox(const Parts& parts)
    : courier_(parts.catalog, parts.router, parts.metrics, parts.remote,
               [this](const item::OutboxPlace& place, std::vector<item::Follower> followers,
                      FollowerCourier::Done done) {
                 Deliver(place, std::move(followers), std::move(done));
               }),
      repair_(parts.catalog, parts.node, courier_, parts.clock, parts.metrics),
      removals_(parts.node, [this](const item::OutboxPlace& place) { repair_.Mark(place); }) {}

void Outbox::Deliver(const item::OutboxPlace& place, std::vector<item::Follower> followers,
                     FollowerCourier::Done done) {
  courier_.Deliver(std::move(followers), [this, place, done = std::move(done)](
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
