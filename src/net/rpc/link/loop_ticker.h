// Runs a handler on an event loop again and again, until the ticker is destroyed.
//
// One coarse timer for everything of a connection that depends on time: deadlines are found by
// looking at them now and then, so setting one is a plain store.
//
// Lives on its loop; only that loop's thread may touch it. The handler must not destroy the ticker.
// Includes Asio: for code under net/.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace orrery::net {

class LoopTicker {
 public:
  LoopTicker(const boost::asio::any_io_executor& loop, std::chrono::milliseconds interval,
             std::function<void()> handler);
  ~LoopTicker();
  LoopTicker(const LoopTicker&) = delete;
  LoopTicker& operator=(const LoopTicker&) = delete;

 private:
  struct State;
  static void Schedule(std::shared_ptr<State> state);

  const std::shared_ptr<State> state_;  // shared with the timer's pending wait
};

}  // namespace orrery::net
