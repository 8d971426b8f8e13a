#include "base/clock.h"

namespace orrery {

Micros SystemClock::Now() const {
  return std::chrono::duration_cast<Micros>(std::chrono::system_clock::now().time_since_epoch());
}

Micros SystemClock::Monotonic() const {
  return std::chrono::duration_cast<Micros>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace orrery
