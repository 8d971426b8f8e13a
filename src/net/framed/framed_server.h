// A FramedServer serves a pipelined binary protocol on one port, TLS and plain. A protocol with
// several ports has one for each, with the same context.
//
// Start and Stop from one thread; sessions live on the event loops.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/metrics.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/framed/framed_session.h"
#include "net/listener_options.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

class FramedServer {
 public:
  // Binds and serves. Errors as in Listener::Open. `tls` may be null: plain only. Everything
  // referred to must outlive the server.
  static Result<std::unique_ptr<FramedServer>> Start(EventLoops& loops, ListenerOptions options,
                                                     const TlsIdentity* tls,
                                                     MetricsRegistry& metrics,
                                                     const FramedContext& context,
                                                     FramedSessionFactory factory);
  ~FramedServer();  // calls Stop(0)

  // The real one, also if the options left the choice to the system.
  uint16_t port() const;
  size_t open_connections() const;

  // Stops accepting, closes connections without a request under way, and gives the others `grace`
  // to be answered. When it returns no session is left; work under way may still finish, to nobody.
  // Idempotent. REQUIRES: the loops still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit FramedServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::net
