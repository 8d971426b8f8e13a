// One accepted connection of the RpcServer: from the handshake to its end.
//
// Includes Asio: for code under net/.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "net/rpc/rpc_server.h"
#include "net/stream.h"

namespace orrery::net {

// The parts that all connections of a server share.
struct RpcCalleeContext {
  const RpcServerOptions& options;
  const std::string certificate;  // fingerprint of what this node presents
  const Clock& clock;
  RpcHandler& handler;
  Counter& refused;
  Counter& requests;
};

// Serves until either side ends the connection. `context` must outlive the coroutine.
Stream::Awaitable<void> ServeRpc(Stream& stream, const RpcCalleeContext& context);

}  // namespace orrery::net
