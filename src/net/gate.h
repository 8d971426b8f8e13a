// A Gate is where a coroutine waits until other code on its loop opens it.
//
// Remembers nothing: a coroutine checks its condition and waits in one go, and nothing else runs on
// the loop between the two. So it is always `while (!condition) co_await gate.Wait();`.
//
// Lives on one event loop; only that loop's thread may touch it. At most one coroutine waits.
// Includes Asio: for code under net/ and the .cc files of protocol servers.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>

namespace orrery::net {

class Gate {
 public:
  explicit Gate(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}

  // Until the next Open(). REQUIRES: nobody waits.
  boost::asio::awaitable<void> Wait();
  // Until all that is ready on the loop now has run.
  boost::asio::awaitable<void> LetOthersPass();
  // Lets the waiting coroutine go on, soon, not inside this call. Nobody waits: nothing happens.
  void Open();

 private:
  const boost::asio::any_io_executor loop_;
  std::move_only_function<void()> waiter_;
};

}  // namespace orrery::net
