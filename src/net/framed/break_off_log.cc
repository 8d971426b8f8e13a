#include "net/framed/break_off_log.h"

#include <fmt/format.h>

#include <utility>

namespace orrery::net {

std::optional<std::string> BreakOffLog::Line(std::string_view client, const BreakOff& what) {
  uint64_t left_out = 0;
  {
    const Micros now = clock_.Monotonic();
    MutexLock lock(mutex_);
    if (last_.has_value() && now - *last_ < kInterval) {
      ++left_out_;
      return std::nullopt;
    }
    last_ = now;
    left_out = std::exchange(left_out_, 0);
  }
  std::string line = fmt::format(
      "{} client {} {} with {} bytes of answers unsent and {} requests unanswered", protocol_,
      client,
      what.timed_out ? "did not read its answers and was disconnected" : "broke off its connection",
      what.unsent_bytes, what.unanswered);
  if (left_out > 0) line += fmt::format("; {} more did since the last such line", left_out);
  return line;
}

}  // namespace orrery::net
