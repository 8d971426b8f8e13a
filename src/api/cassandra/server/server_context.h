// The parts that all sessions of a server share, beside net/framed/framed_session.h. Everything
// referred to outlives them.
#pragma once

#include <cstddef>

#include "api/cassandra/executor/authenticator.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/server/client_registry.h"
#include "api/cassandra/server/event/event_hub.h"
#include "api/cassandra/server/server_metrics.h"
#include "api/cassandra/server/session/tracing_ids.h"
#include "base/thread_pool.h"

namespace orrery::cassandra {

struct ServerContext {
  size_t body_bytes_max;  // of a request
  StatementService& statements;
  Authenticator& authenticator;
  ThreadPool& login_pool;
  EventHub& events;
  ClientRegistry& registry;
  ServerMetrics& metrics;
  TracingIds& tracing_ids;
};

}  // namespace orrery::cassandra
