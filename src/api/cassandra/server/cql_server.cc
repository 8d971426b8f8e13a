#include "api/cassandra/server/cql_server.h"

#include <thread>
#include <utility>

#include "api/cassandra/server/connection.h"
#include "base/check.h"
#include "net/listener.h"

namespace orrery::cassandra {

// The listeners are declared last, so that they are stopped before what their connections refer to
// ends.
struct CqlServer::Impl {
  Impl(const CqlServerOptions& options, const CqlServerParts& parts)
      : requests(std::make_shared<ByteBudget>(options.request_bytes_max)),
        metrics(parts.metrics, requests),
        tracing_ids(parts.clock, parts.node),
        context{options.limits,   parts.statements, parts.authenticator,
                parts.login_pool, parts.events,     parts.roster,
                metrics,          tracing_ids,      requests,
                parts.answers} {}

  const std::shared_ptr<ByteBudget> requests;
  ServerMetrics metrics;
  TracingIds tracing_ids;
  const ServerContext context;
  std::vector<std::unique_ptr<net::Listener>> listeners;  // one for each door
};

CqlServer::CqlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CqlServer::~CqlServer() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<CqlServer>> CqlServer::Start(net::EventLoops& loops,
                                                    CqlServerOptions options,
                                                    const CqlServerParts& parts) {
  auto impl = std::make_unique<Impl>(options, parts);
  for (CqlDoor& door : options.doors) {
    ORRERY_ASSIGN(auto listener,
                  net::Listener::Open(loops, std::move(door.listener), parts.tls, parts.metrics,
                                      [context = &impl->context,
                                       authenticate = door.authenticate](net::Stream& stream) {
                                        return ServeCql(stream, *context, authenticate);
                                      }));
    impl->listeners.push_back(std::move(listener));
  }
  return std::unique_ptr<CqlServer>(new CqlServer(std::move(impl)));
}

uint16_t CqlServer::port(size_t door) const {
  ORRERY_CHECK(door < impl_->listeners.size());
  return impl_->listeners[door]->port();
}

size_t CqlServer::open_connections() const {
  size_t open = 0;
  for (const auto& listener : impl_->listeners) open += listener->open_connections();
  return open;
}

void CqlServer::Stop(std::chrono::milliseconds grace) {
  // All doors at once: one that waits for its last answers must not leave another open.
  std::vector<std::thread> stops;
  for (const auto& listener : impl_->listeners) {
    stops.emplace_back([&listener, grace] { listener->Stop(grace); });
  }
  for (std::thread& stop : stops) stop.join();
}

}  // namespace orrery::cassandra
