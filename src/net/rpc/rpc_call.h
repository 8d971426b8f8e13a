// A call on its way to a peer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/status.h"

namespace orrery::net {

using RpcDone = std::move_only_function<void(Result<std::string>)>;

struct RpcCall {
  uint16_t method = 0;
  std::string request;
  Micros deadline{0};  // on the monotonic clock
  RpcDone done;
  ByteShare bytes;  // of the client's budget, until the request is in the queue of a connection
};

}  // namespace orrery::net
