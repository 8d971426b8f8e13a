#include "api/sql/direct/server/direct_server.h"

#include <utility>

#include "api/sql/direct/server/direct_session.h"
#include "base/byte_budget.h"
#include "net/framed/framed_server.h"

namespace orrery::sql {
namespace {

direct::ServerIdentity IdentityOf(const DirectServerOptions& options) {
  return {
      .agent = "orrery",
      .version = options.version,
      .idle_timeout = std::chrono::duration_cast<std::chrono::seconds>(options.limits.idle_timeout),
      .unauthenticated_timeout =
          std::chrono::duration_cast<std::chrono::seconds>(options.limits.handshake_timeout)};
}

}  // namespace

// The server is declared last, so that it is stopped before what its connections refer to ends.
struct DirectServer::Impl {
  Impl(const DirectServerOptions& options, const Parts& parts)
      : requests(std::make_shared<ByteBudget>(options.request_bytes_max)),
        metrics(parts.metrics, "sql_direct", requests),
        wire{.limits = options.limits,
             .metrics = metrics,
             .clock = parts.clock,
             .requests = requests},
        context{.service = parts.service,
                .clock = parts.clock,
                .identity = IdentityOf(options),
                .require_tls = options.require_tls} {}

  const std::shared_ptr<ByteBudget> requests;
  net::FramedMetrics metrics;
  const net::FramedContext wire;
  const direct::DirectContext context;
  std::unique_ptr<net::FramedServer> server;
};

DirectServer::DirectServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DirectServer::~DirectServer() = default;

Result<std::unique_ptr<DirectServer>> DirectServer::Start(net::EventLoops& loops,
                                                          DirectServerOptions options,
                                                          const Parts& parts) {
  auto impl = std::make_unique<Impl>(options, parts);
  ORRERY_ASSIGN(
      impl->server,
      net::FramedServer::Start(loops, std::move(options.listener), parts.tls, parts.metrics,
                               impl->wire, [context = &impl->context](const net::FramedLink& link) {
                                 return std::make_unique<direct::DirectSession>(link, *context);
                               }));
  return std::unique_ptr<DirectServer>(new DirectServer(std::move(impl)));
}

uint16_t DirectServer::port() const { return impl_->server->port(); }
size_t DirectServer::open_connections() const { return impl_->server->open_connections(); }
void DirectServer::Stop(std::chrono::milliseconds grace) { impl_->server->Stop(grace); }

}  // namespace orrery::sql
