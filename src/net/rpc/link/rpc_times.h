// How long the two ends of a connection between nodes wait for each other.
#pragma once

#include <chrono>

namespace orrery::net {

struct RpcLinkTimes {
  // An end that had nothing else to say for so long says that it is there.
  std::chrono::milliseconds ping_interval{1'000};
  // An end that hears nothing for so long takes the other for gone.
  std::chrono::milliseconds silence_max{3'000};
  // What is written must leave within this: a piece of at most SendQueue::kPieceBytesMax bytes.
  std::chrono::milliseconds write_max{10'000};
  // How often all of these, and deadlines of calls, are looked at: what is due is noticed that much
  // late.
  std::chrono::milliseconds tick_interval{50};
};

}  // namespace orrery::net
