// Accepts connections on one address and port, and runs a protocol on each.
//
// One loop accepts, and gives each connection to the loop that has fewest of this listener's. The
// port is never shared (SO_REUSEPORT): another program of the same user could take a part of the
// connections. The first byte of a connection tells TLS (0x16 starts a handshake, and no
// protocol here starts so) from plain, so both share the port. Clients speak first in every
// protocol here: one that says nothing for the handshake's time-out is gone.
//
// Open and Stop from one thread; everything else happens on the loops.
// Includes Asio: for code under net/ and the .cc files of protocol servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/metrics.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/listener_options.h"
#include "net/stream.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

class Listener {
 public:
  // Serves one connection from its first byte to its last. Runs on the connection's loop; the
  // stream is destroyed when it returns, closed or not. What it throws is logged and ends the
  // connection.
  using Protocol = std::function<boost::asio::awaitable<void>(Stream&)>;

  // Binds and starts to accept. kAlreadyExists: the port is taken; kForbidden: it is reserved to
  // root; kInvalidArgument: the address is none, or none of this machine. Without `tls`, a
  // TLS client is answered with a TLS alert. `loops`, `tls` and `metrics` must outlive it.
  static Result<std::unique_ptr<Listener>> Open(EventLoops& loops, ListenerOptions options,
                                                const TlsIdentity* tls, MetricsRegistry& metrics,
                                                Protocol protocol);
  ~Listener();  // calls Stop(0)

  // The real one, also if the options left the choice to the listener: then it is one that the
  // kernel gives to no outgoing connection, so that a server can be started there again.
  uint16_t port() const { return port_; }
  size_t open_connections() const;
  // The same, of one loop. REQUIRES: `loop` is below the number of loops.
  size_t open_connections(size_t loop) const;

  // Stops accepting, ends idle connections at once, lets the others finish their request within
  // `grace`, then ends them too. When it returns, no protocol coroutine is left. Idempotent.
  // REQUIRES: the loops still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace);

 private:
  class Core;

  Listener(EventLoops& loops, std::shared_ptr<Core> core);
  Status Bind(const ListenerOptions& options);
  void Start();

  EventLoops& loops_;
  const std::shared_ptr<Core> core_;  // shared with the coroutines
  uint16_t port_ = 0;
  bool stopped_ = false;
};

}  // namespace orrery::net
