// A whole run over pipelined connections of a framed protocol against one server.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/status.h"
#include "load/address.h"
#include "load/framed/framed_connection.h"
#include "load/load_run.h"

namespace orrery::bench {

struct FramedPlan {
  Address address;
  size_t connections = 1;
  size_t in_flight = 1;  // on each connection
  size_t threads = 1;    // at most as many as connections
  LoadTimes times;
  std::function<Status(Transport&)> shake_hands;  // none: the protocol has no handshake
  std::function<std::unique_ptr<FramedExchange>(size_t thread)> exchange;
};

// Errors are those of connecting and of a wrong process id; what goes wrong later is in the tally.
Result<LoadReport> RunFramedLoad(const FramedPlan& plan);

}  // namespace orrery::bench
