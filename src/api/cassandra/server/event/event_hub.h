// An EventHub tells events to the connections whose clients sent REGISTER.
//
// Telling puts the event into each connection's mailbox, which is bounded; writing it is the
// connection's affair.
//
// Thread-safe. Must outlive the servers that it is given to.
#pragma once

#include <memory>
#include <unordered_map>

#include "api/cassandra/executor/schema_listener.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/server/event/event.h"
#include "base/mutex.h"

namespace orrery::cassandra {

class Mailbox;

class EventHub final : public SchemaListener {
 public:
  void SchemaChanged(const SchemaChange& change) override EXCLUDES(mutex_);
  void TopologyChanged(TopologyChange change, const InetEndpoint& node) EXCLUDES(mutex_);
  void StatusChanged(NodeStatus status, const InetEndpoint& node) EXCLUDES(mutex_);

  void Tell(Event event) EXCLUDES(mutex_);

  // Adds to what the subscriber asked for before: a client may register more than once.
  void Subscribe(const std::shared_ptr<Mailbox>& mailbox, const RegisterRequest& registration)
      EXCLUDES(mutex_);
  // No effect on one that never subscribed. An event may still be on its way to it.
  void Unsubscribe(const Mailbox& mailbox) EXCLUDES(mutex_);

 private:
  struct Subscriber {
    std::shared_ptr<Mailbox> mailbox;
    RegisterRequest registration;
  };

  Mutex mutex_;
  std::unordered_map<const Mailbox*, Subscriber> subscribers_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cassandra
