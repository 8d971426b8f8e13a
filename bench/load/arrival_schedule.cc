#include "load/arrival_schedule.h"

#include <cmath>

namespace orrery::bench {

std::optional<LoadTime> ArrivalSchedule::NextStart() const {
  if (taken_ >= plan_.count_max) return std::nullopt;
  if (plan_.per_second <= 0) return plan_.begin;
  const double seconds = (static_cast<double>(taken_) + plan_.phase) / plan_.per_second;
  const LoadTime start =
      plan_.begin + std::chrono::nanoseconds(static_cast<int64_t>(std::llround(seconds * 1e9)));
  if (start >= plan_.end) return std::nullopt;
  return start;
}

std::optional<LoadTime> ArrivalSchedule::TakeDue(LoadTime now) {
  const std::optional<LoadTime> start = NextStart();
  if (!start || *start > now) return std::nullopt;
  const bool saturating = plan_.per_second <= 0;
  if (saturating && now >= plan_.end) return std::nullopt;
  ++taken_;
  return saturating ? now : *start;
}

}  // namespace orrery::bench
