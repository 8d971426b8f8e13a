// All open streams of one listener on one event loop: looks after their deadlines, and ends them
// when the listener stops.
//
// Deadlines are found by looking at every stream now and then. Setting one is thus a plain store,
// where a timer for each read and write of each connection would be a heap operation. The same walk
// cancels again what was cancelled and is still running, and, where connections are scarce, ends
// some that have waited longest for their client; it comes more often then.
//
// Only the loop's thread may call it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "base/metrics.h"

namespace orrery::net {

class Stream;

class StreamSet : public std::enable_shared_from_this<StreamSet> {
 public:
  // `gave_way` counts streams that were ended for others; it must outlive the set.
  StreamSet(boost::asio::io_context& context, std::chrono::milliseconds sweep_interval,
            Counter& gave_way)
      : sweep_interval_(sweep_interval), gave_way_(gave_way), timer_(context) {}

  // Called by the stream's constructor and destructor.
  void Add(Stream& stream);
  void Remove(Stream& stream);

  // Ends idle streams, and tells the others (and all that come later) to end with their request.
  void Drain();
  // Ends all streams.
  void Abort();

  // Ends a stream for others.
  void MakeGiveWay(Stream& stream);

  std::chrono::milliseconds sweep_interval() const { return sweep_interval_; }
  // The time of the last sweep, or a little later: cheap, and near enough to compare streams by.
  std::chrono::steady_clock::time_point now() const { return now_; }

 private:
  void ScheduleSweep();
  void Sweep();
  void MakeRoom();

  const std::chrono::milliseconds sweep_interval_;
  Counter& gave_way_;
  boost::asio::steady_timer timer_;
  std::vector<Stream*> streams_;
  bool draining_ = false;
  bool sweeping_ = false;
  bool crowded_ = false;
  std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now();
};

}  // namespace orrery::net
