#include "api/cassandra/server/cql_server.h"

#include <thread>
#include <utility>

#include "api/cassandra/server/session/session.h"
#include "base/check.h"
#include "net/framed/framed_server.h"

namespace orrery::cassandra {

// The servers are declared last, so that they are stopped before what their connections refer to
// ends.
struct CqlServer::Impl {
  Impl(const CqlServerOptions& options, const CqlServerParts& parts)
      : requests(std::make_shared<ByteBudget>(options.request_bytes_max)),
        framed_metrics(parts.metrics, "cql", requests),
        metrics(parts.metrics),
        tracing_ids(parts.clock, parts.node),
        break_offs(parts.clock, "CQL"),
        wire{.limits = options.limits,
             .metrics = framed_metrics,
             .clock = parts.clock,
             .requests = requests,
             .break_offs = &break_offs},
        context{options.body_bytes_max,
                parts.statements,
                parts.authenticator,
                parts.login_pool,
                parts.events,
                parts.registry,
                metrics,
                tracing_ids} {}

  const std::shared_ptr<ByteBudget> requests;
  net::FramedMetrics framed_metrics;
  ServerMetrics metrics;
  TracingIds tracing_ids;
  net::BreakOffLog break_offs;
  const net::FramedContext wire;
  const ServerContext context;
  std::vector<std::unique_ptr<net::FramedServer>> servers;  // one for each port
};

CqlServer::CqlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CqlServer::~CqlServer() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<CqlServer>> CqlServer::Start(net::EventLoops& loops,
                                                    CqlServerOptions options,
                                                    const CqlServerParts& parts) {
  auto impl = std::make_unique<Impl>(options, parts);
  for (CqlPort& each : options.ports) {
    ORRERY_ASSIGN(auto server,
                  net::FramedServer::Start(
                      loops, std::move(each.listener), parts.tls, parts.metrics, impl->wire,
                      [&context = impl->context, authenticate = each.authenticate](
                          const net::FramedLink& link) -> std::unique_ptr<net::FramedSession> {
                        return std::make_unique<Session>(context, link, authenticate);
                      }));
    impl->servers.push_back(std::move(server));
  }
  return std::unique_ptr<CqlServer>(new CqlServer(std::move(impl)));
}

uint16_t CqlServer::port(size_t index) const {
  ORRERY_CHECK(index < impl_->servers.size());
  return impl_->servers[index]->port();
}

size_t CqlServer::open_connections() const {
  size_t open = 0;
  for (const auto& server : impl_->servers) open += server->open_connections();
  return open;
}

void CqlServer::Stop(std::chrono::milliseconds grace) {
  // All ports at once: one that waits for its last answers must not leave another open.
  std::vector<std::thread> stops;
  for (const auto& server : impl_->servers) {
    stops.emplace_back([&server, grace] { server->Stop(grace); });
  }
  for (std::thread& stop : stops) stop.join();
}

}  // namespace orrery::cassandra
