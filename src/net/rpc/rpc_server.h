// Offers the methods of this node to the other nodes of its cluster: the callee's end of their
// connections, over TLS only.
//
// A connection is served once its caller has proved that it knows the cluster's secret
// (rpc_handshake.h), for which it has a short time; nothing else is read before. Then its requests
// are handed to the handler, many at once, and answered in the order in which answers come. A
// caller that does not read its answers, or has too much under way, is not read from any more until
// that has changed; one that is silent is cut (rpc_link.h).
//
// Start and Stop from one thread; the handler is called on the event loops.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/metrics.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/listener_options.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "net/rpc/link/rpc_times.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

class RpcHandler {
 public:
  using Answer = std::move_only_function<void(Result<std::string>)>;

  virtual ~RpcHandler() = default;
  // `answer` is to be called once, from any thread, also after the server has stopped; dropped
  // without a call it answers with kInternal. Must not block: runs on an event loop.
  virtual void Serve(NodeId caller, uint16_t method, std::string request, Answer answer) = 0;
};

// For each connection.
struct RpcServerLimits {
  // Requests under way, and their bytes: beyond either nothing is read.
  size_t requests_max = 16'384;
  size_t request_bytes_max = size_t{128} << 20;
  // Answers that were not sent: beyond the first nothing is read, beyond the second an answer is
  // dropped and the caller told kUnavailable.
  size_t unsent_bytes_soft_max = size_t{16} << 20;
  size_t unsent_bytes_max = size_t{256} << 20;
  std::chrono::milliseconds handshake_max{3'000};
};

struct RpcServerOptions {
  ListenerOptions listener{.name = "peers",
                           .connections_max = 2'000,
                           .handshake_timeout = std::chrono::milliseconds(3'000),
                           .sweep_interval = std::chrono::milliseconds(100)};
  RpcIdentity identity;
  RpcServerLimits limits;
  RpcLinkTimes link;
};

class RpcServer {
 public:
  // Errors as in Listener::Open; kInvalidArgument also when the identity is none. All references
  // must outlive it.
  static Result<std::unique_ptr<RpcServer>> Start(EventLoops& loops, RpcServerOptions options,
                                                  const TlsIdentity& tls, const Clock& clock,
                                                  MetricsRegistry& metrics, RpcHandler& handler);
  ~RpcServer();  // calls Stop(0)

  // The real one, also if the options left the choice to the system.
  uint16_t port() const;
  size_t open_connections() const;

  // Stops accepting, ends connections without a request under way, and gives the others `grace` to
  // be answered. When it returns the handler is called no more. Idempotent. REQUIRES: the loops
  // still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit RpcServer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::net
