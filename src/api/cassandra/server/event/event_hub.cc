#include "api/cassandra/server/event/event_hub.h"

#include <utility>
#include <vector>

#include "api/cassandra/server/session/mailbox.h"

namespace orrery::cassandra {

void EventHub::SchemaChanged(const SchemaChange& change) { Tell(change); }

void EventHub::TopologyChanged(TopologyChange change, const InetEndpoint& node) {
  Tell(TopologyEvent{change, node});
}

void EventHub::StatusChanged(NodeStatus status, const InetEndpoint& node) {
  Tell(StatusEvent{status, node});
}

void EventHub::Subscribe(const std::shared_ptr<Mailbox>& mailbox,
                         const RegisterRequest& registration) {
  MutexLock lock(mutex_);
  Subscriber& subscriber = subscribers_[mailbox.get()];
  subscriber.mailbox = mailbox;
  subscriber.registration.topology_changes |= registration.topology_changes;
  subscriber.registration.status_changes |= registration.status_changes;
  subscriber.registration.schema_changes |= registration.schema_changes;
}

void EventHub::Unsubscribe(const Mailbox& mailbox) {
  MutexLock lock(mutex_);
  subscribers_.erase(&mailbox);
}

void EventHub::Tell(Event event) {
  const auto shared = std::make_shared<const Event>(std::move(event));
  std::vector<std::shared_ptr<Mailbox>> mailboxes;
  {
    MutexLock lock(mutex_);
    for (const auto& [key, subscriber] : subscribers_) {
      if (Concerns(subscriber.registration, *shared)) mailboxes.push_back(subscriber.mailbox);
    }
  }
  for (const auto& mailbox : mailboxes) mailbox->PutEvent(shared);
}

}  // namespace orrery::cassandra
