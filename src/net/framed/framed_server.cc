#include "net/framed/framed_server.h"

#include <utility>

#include "net/framed/framed_connection.h"
#include "net/listener.h"

namespace orrery::net {

// The listener is declared last, so that it is stopped before what its connections refer to ends.
struct FramedServer::Impl {
  const FramedSessionFactory factory;
  std::unique_ptr<Listener> listener;
};

FramedServer::FramedServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FramedServer::~FramedServer() = default;

Result<std::unique_ptr<FramedServer>> FramedServer::Start(
    EventLoops& loops, ListenerOptions options, const TlsIdentity* tls, MetricsRegistry& metrics,
    const FramedContext& context, FramedSessionFactory factory) {
  std::unique_ptr<Impl> impl(new Impl{std::move(factory), nullptr});
  ORRERY_ASSIGN(impl->listener,
                Listener::Open(loops, std::move(options), tls, metrics,
                               [&context, &factory = impl->factory](Stream& stream) {
                                 return ServeFramed(stream, context, factory);
                               }));
  return std::unique_ptr<FramedServer>(new FramedServer(std::move(impl)));
}

uint16_t FramedServer::port() const { return impl_->listener->port(); }

size_t FramedServer::open_connections() const { return impl_->listener->open_connections(); }

void FramedServer::Stop(std::chrono::milliseconds grace) { impl_->listener->Stop(grace); }

}  // namespace orrery::net
