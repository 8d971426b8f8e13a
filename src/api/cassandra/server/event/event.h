// EVENT messages: what the server tells clients without being asked.
#pragma once

#include <memory>
#include <variant>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/protocol/response/response_writer.h"

namespace orrery::cassandra {

struct TopologyEvent {
  TopologyChange change = TopologyChange::kNewNode;
  InetEndpoint node;
};
struct StatusEvent {
  NodeStatus status = NodeStatus::kUp;
  InetEndpoint node;
};

// A node has other tokens.
struct MovedEvent {
  InetEndpoint node;
};

using Event = std::variant<SchemaChange, TopologyEvent, StatusEvent, MovedEvent>;
using EventPtr = std::shared_ptr<const Event>;

// Returns whether a client that registered so is told of it.
inline bool Concerns(const RegisterRequest& registration, const Event& event) {
  if (std::holds_alternative<SchemaChange>(event)) return registration.schema_changes;
  if (std::holds_alternative<StatusEvent>(event)) return registration.status_changes;
  return registration.topology_changes;
}

}  // namespace orrery::cassandra
