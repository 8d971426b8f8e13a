// The server of the Cassandra API: the CQL native protocol, v3 to v5, on any number of ports, TLS
// and plain on each.
//
// Start and Stop from one thread; statements are called on the event loops.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/cassandra/executor/authenticator.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/server/event/event_hub.h"
#include "api/cassandra/server/server_context.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "net/event_loops.h"
#include "net/framed/framed_limits.h"
#include "net/listener_options.h"
#include "net/tls/tls_identity.h"

namespace orrery::cassandra {

// One port and who may come in by it.
struct CqlPort {
  net::ListenerOptions listener{.name = "cassandra"};
  // Without it every client may do anything, whoever it says it is.
  bool authenticate = true;
};

struct CqlServerOptions {
  std::vector<CqlPort> ports;
  net::FramedLimits limits{};
  // A request's body; larger ones are refused. Cassandra's default too.
  size_t body_bytes_max = 16 << 20;
  // Of requests that are received in part or being answered and of answers that are not sent, over
  // all connections.
  size_t request_bytes_max = size_t{256} << 20;
};

// The parts that the server works with. All must outlive it; the authenticator must also outlive
// the tasks of the login pool; for the statements see statement_service.h.
struct CqlServerParts {
  StatementService& statements;
  Authenticator& authenticator;
  ThreadPool& login_pool;
  EventHub& events;
  ClientRegistry& registry;
  const Clock& clock;
  MetricsRegistry& metrics;
  const net::TlsIdentity* tls = nullptr;  // null: plain only
  uint64_t node = 0;                      // random: makes tracing ids unique among servers
};

class CqlServer {
 public:
  // Opens all ports or none. Errors as in net::Listener::Open.
  static Result<std::unique_ptr<CqlServer>> Start(net::EventLoops& loops, CqlServerOptions options,
                                                  const CqlServerParts& parts);
  ~CqlServer();  // calls Stop(0)

  // The real one, also if the options left the choice to the system. REQUIRES: `index` is below the
  // number of ports.
  uint16_t port(size_t index = 0) const;
  size_t open_connections() const;

  // Stops accepting, closes connections without a request under way, and gives the others `grace`
  // to be answered. When it returns no statement is called any more; those under way may still
  // finish, to nobody. Idempotent. REQUIRES: the loops still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit CqlServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::cassandra
