// A BreakOffLog makes the log's line about a client that went away while answers to it were under
// way: one that cannot read an answer closes its connection in the middle of it, and says why on
// its own side only.
//
// At most one line in kInterval, with how many there were since the last. Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::net {

class BreakOffLog {
 public:
  static constexpr std::chrono::seconds kInterval{10};

  // `clock` must outlive it. `protocol` begins each line: "CQL".
  BreakOffLog(const Clock& clock, std::string protocol)
      : clock_(clock), protocol_(std::move(protocol)) {}

  struct BreakOff {
    size_t unsent_bytes = 0;  // of answers
    size_t unanswered = 0;    // requests
    bool timed_out = false;   // the client did not read for too long, and was cut off
  };
  // Returns the line about the client of that address, or nullopt when there was one a short while
  // ago.
  std::optional<std::string> Line(std::string_view client, const BreakOff& what) EXCLUDES(mutex_);

 private:
  const Clock& clock_;
  const std::string protocol_;
  Mutex mutex_;
  std::optional<Micros> last_ GUARDED_BY(mutex_);
  uint64_t left_out_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::net
