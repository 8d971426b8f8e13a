// The threads that do network I/O: N event loops, each one io_context run by one thread.
//
// A connection lives on one loop for its whole life, so its state needs no lock. Nothing that runs
// on a loop may block: work that might goes to a ThreadPool. Loops have turns (base/turn_end.h).
//
// Thread-safe. Must outlive everything that runs on it; stop listeners and servers first, because
// they close their connections on the loops.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace orrery::net {

class EventLoops {
 public:
  using Task = std::move_only_function<void()>;

  static constexpr size_t kLoopsMax = 256;

  // Starts the threads. REQUIRES: 0 < count <= kLoopsMax.
  explicit EventLoops(size_t count);
  ~EventLoops();  // calls Stop()

  EventLoops(const EventLoops&) = delete;
  EventLoops& operator=(const EventLoops&) = delete;

  size_t size() const { return loops_.size(); }
  // For code under net/ and protocol servers. REQUIRES: index < size().
  boost::asio::io_context& context(size_t index);

  // Runs `task` on that loop, soon; never inside this call. After Stop() it is not run at all.
  // Exceptions are logged and dropped.
  void Post(size_t index, Task task);

  // Ends the loops after the handler each is running, and joins. Idempotent. Not from a loop.
  void Stop();

 private:
  struct Loop;
  std::vector<std::unique_ptr<Loop>> loops_;  // constant after construction
};

}  // namespace orrery::net
