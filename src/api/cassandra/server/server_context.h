// What all connections of a server share. Everything referred to outlives them.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "api/cassandra/executor/authenticator.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/server/client_roster.h"
#include "api/cassandra/server/event/event_hub.h"
#include "api/cassandra/server/server_metrics.h"
#include "api/cassandra/server/session/tracing_ids.h"
#include "base/byte_budget.h"
#include "base/thread_pool.h"

namespace orrery::cassandra {

// How much a connection may ask of the server, and for how long.
struct ConnectionLimits {
  // A request's body; larger ones are refused. Cassandra's default too.
  size_t body_bytes_max = 16 << 20;
  // Requests without an answer yet, and bytes of answers that the client has not read or may be
  // expected to have to: beyond either, the server stops reading from it until there are less.
  size_t requests_max = 2048;
  size_t unsent_bytes_max = 4 << 20;
  // From the first byte until the client is let in.
  std::chrono::milliseconds handshake_timeout{10'000};
  // For a piece of kWritePieceBytes (connection.cc) to leave; who reads more slowly is cut.
  std::chrono::milliseconds write_timeout{30'000};
};

struct ServerContext {
  ConnectionLimits limits;
  StatementService& statements;
  Authenticator& authenticator;
  ThreadPool& login_pool;
  EventHub& events;
  ClientRoster& roster;
  ServerMetrics& metrics;
  TracingIds& tracing_ids;
  // Of requests that are received in part or being answered, over all connections: what does not
  // fit is refused.
  std::shared_ptr<ByteBudget> requests;
  // Of answers that are not sent yet; null: they are not counted.
  std::shared_ptr<ByteBudget> answers{};
};

}  // namespace orrery::cassandra
