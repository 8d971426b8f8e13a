// A LoopSignal wakes something that lives on an event loop from other threads: any number of calls
// of Raise() before the loop comes round make one run of the handler.
//
// A caller first puts its message somewhere safe (a queue with a lock), then raises; the handler
// empties that place. A burst of a thousand messages then costs the loop one task.
//
// Raise() from any thread, also after Close() and when the loops are gone. The rest on the loop
// that it was made on.
// Includes Asio: for code under net/ and the .cc files of protocol servers.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <thread>

#include "base/mutex.h"

namespace orrery::net {

class LoopSignal : public std::enable_shared_from_this<LoopSignal> {
 public:
  using Handler = std::move_only_function<void()>;

  // REQUIRES: called on `loop`.
  static std::shared_ptr<LoopSignal> Make(boost::asio::any_io_executor loop, Handler handler);

  // Returns whether the caller runs on the loop, where it may touch what lives there.
  bool on_loop() const { return std::this_thread::get_id() == thread_; }

  // The handler runs on the loop, soon; never inside this call.
  void Raise() EXCLUDES(mutex_);

  // The handler is dropped and never runs again. REQUIRES: not from the handler.
  void Close() EXCLUDES(mutex_);

 private:
  LoopSignal(boost::asio::any_io_executor loop, Handler handler);
  void Run();

  const std::thread::id thread_;
  std::atomic<bool> raised_ = false;
  Handler handler_;  // the loop's

  Mutex mutex_;
  // Not used after Close(): the loop may be gone then.
  const boost::asio::any_io_executor loop_;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::net
