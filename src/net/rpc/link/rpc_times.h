// The time-outs of the two ends of a connection between nodes.
#pragma once

#include <chrono>

namespace orrery::net {

struct RpcLinkTimes {
  // An end that had nothing else to say for so long says that it is there.
  std::chrono::milliseconds ping_interval{1'000};
  // An end that hears nothing for so long takes the other for gone.
  std::chrono::milliseconds silence_max{3'000};
  // The time within which a piece must be written, of at most SendQueue::kPieceBytesMax bytes.
  std::chrono::milliseconds write_max{10'000};
  // The interval at which all of these, and deadlines of calls, are checked: they are noticed that
  // much late.
  std::chrono::milliseconds tick_interval{50};
};

}  // namespace orrery::net
