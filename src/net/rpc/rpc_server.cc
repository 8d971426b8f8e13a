#include "net/rpc/rpc_server.h"

#include <openssl/ssl.h>

#include <utility>

#include "net/listener.h"
#include "net/rpc/handshake/rpc_proof.h"
#include "net/rpc/rpc_callee.h"

namespace orrery::net {

// The listener is declared last, so that it is stopped before what its connections refer to ends.
struct RpcServer::Impl {
  Impl(RpcServerOptions server_options, std::string certificate, const Clock& clock,
       MetricsRegistry& metrics, RpcHandler& handler)
      : options(std::move(server_options)),
        context{options,
                std::move(certificate),
                clock,
                handler,
                metrics.GetCounter("orrery_peer_connections_refused_total",
                                   "Connections to the port for nodes that no node of the cluster "
                                   "was proved to be behind."),
                metrics.GetCounter("orrery_peer_requests_total", "Requests of other nodes.")} {}

  const RpcServerOptions options;
  const RpcCalleeContext context;
  std::unique_ptr<Listener> listener;
};

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcServer::~RpcServer() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<RpcServer>> RpcServer::Start(EventLoops& loops, RpcServerOptions options,
                                                    const TlsIdentity& tls, const Clock& clock,
                                                    MetricsRegistry& metrics, RpcHandler& handler) {
  ORRERY_TRY(CheckRpcIdentity(options.identity));
  ORRERY_ASSIGN(std::string certificate,
                CertificateFingerprint(SSL_CTX_get0_certificate(tls.context())));
  auto impl =
      std::make_unique<Impl>(std::move(options), std::move(certificate), clock, metrics, handler);
  ORRERY_ASSIGN(impl->listener, Listener::Open(loops, impl->options.listener, &tls, metrics,
                                               [context = &impl->context](Stream& stream) {
                                                 return ServeRpc(stream, *context);
                                               }));
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

uint16_t RpcServer::port() const { return impl_->listener->port(); }
size_t RpcServer::open_connections() const { return impl_->listener->open_connections(); }
void RpcServer::Stop(std::chrono::milliseconds grace) { impl_->listener->Stop(grace); }

}  // namespace orrery::net
