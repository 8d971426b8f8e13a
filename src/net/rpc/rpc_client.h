// Calls the methods of one other node: the caller's end of a connection, which it opens when
// somebody calls, keeps, and opens again after it broke.
//
// Any number of calls, up to a limit, are under way at once over the one connection, and answered
// in any order. Each is answered exactly once:
//   the callee's own answer or error
//   kOverloaded   too many calls are under way, or too many bytes wait to be sent; it was not sent
//   kTooLarge     the request exceeds kRpcPayloadBytesMax; it was not sent
//   kMoved        there was no connection within connect_wait_max; it was not sent
//   kUnavailable  the connection broke, or no answer came in time; whether the callee did it is
//                 unknown
// While no attempt to connect will be made soon enough, calls fail at once.
//
// Thread-safe. Lives on one event loop; `done` runs there, or inside Call().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "net/event_loops.h"
#include "net/http/url.h"
#include "net/rpc/handshake/rpc_identity.h"
#include "net/rpc/link/rpc_times.h"
#include "net/rpc/redial_schedule.h"
#include "net/rpc/rpc_call.h"

namespace orrery::net {

struct RpcClientOptions {
  RpcIdentity identity;  // this node's
  NodeId callee;
  HostPort address;  // of the callee; its host is a name or an IP address
  size_t calls_max = 16'384;
  size_t unsent_bytes_max = size_t{128} << 20;
  // The time that a call waits for a connection, and that an attempt to connect may take.
  std::chrono::milliseconds connect_wait_max{500};
  std::chrono::milliseconds connect_max{3'000};
  RedialTimes redial;
  RpcLinkTimes link;
};

class RpcClient {
 public:
  // `loops` and `clock` must live until the loops are stopped. REQUIRES: loop < loops.size().
  RpcClient(EventLoops& loops, size_t loop, RpcClientOptions options, const Clock& clock);
  ~RpcClient();  // calls Close()

  void Call(uint16_t method, std::string request, std::chrono::milliseconds patience, RpcDone done);

  // The callee is there from now on: a connection to another address is given up.
  void MoveTo(HostPort address);

  // Ends the connection; calls under way fail soon, later ones at once, both with kUnavailable.
  // Idempotent.
  void Close();
  // Closes, and waits until no `done` is left to be called. REQUIRES: the loops still run. Not from
  // a loop.
  void Stop();

 private:
  class Core;
  const std::shared_ptr<Core> core_;  // shared with tasks on the loop
};

}  // namespace orrery::net
