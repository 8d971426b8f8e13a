// All open streams of one listener on one event loop: looks after their deadlines, and ends them
// when the listener stops.
//
// Deadlines are found by looking at every stream now and then. Setting one is thus a plain store,
// where a timer for each read and write of each connection would be a heap operation. The same walk
// cancels again what was cancelled and is still running.
//
// Only the loop's thread may call it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <vector>

namespace orrery::net {

class Stream;

class StreamSet : public std::enable_shared_from_this<StreamSet> {
 public:
  StreamSet(boost::asio::io_context& context, std::chrono::milliseconds sweep_interval)
      : sweep_interval_(sweep_interval), timer_(context) {}

  // Called by the stream's constructor and destructor.
  void Add(Stream& stream);
  void Remove(Stream& stream);

  // Ends idle streams, and tells the others (and all that come later) to end with their request.
  void Drain();
  // Ends all streams.
  void Abort();

 private:
  void ScheduleSweep();
  void Sweep();

  const std::chrono::milliseconds sweep_interval_;
  boost::asio::steady_timer timer_;
  std::vector<Stream*> streams_;
  bool draining_ = false;
  bool sweeping_ = false;
};

}  // namespace orrery::net
