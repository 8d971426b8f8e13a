// An AutoscaleMeter finds what an autoscaled rate costs: each hour is billed by its highest second,
// between a tenth of the maximum and the maximum.
//
// Autoscale itself needs no mechanism here, since the governor admits up to the maximum at any
// time; what scales is the bill. Thread-safe and lock-free.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "base/request_units.h"
#include "partition/rate/period_meter.h"

namespace orrery::partition {

class AutoscaleMeter {
 public:
  // Billed rates are multiples of this, rounded up, unless the maximum is not.
  static constexpr RequestUnits kBillingStep = RequestUnits::Whole(100);

  // Tells what one second has used so far. The largest figure of an hour counts.
  void Record(RequestUnits used_in_second, Micros now) {
    highest_.Add(used_in_second.hundredths(), now);
  }

  // The rate, per second, that the hour of `now` is billed by so far, and the hour before it.
  RequestUnits BilledThisHour(RequestUnits rate_max, Micros now) const {
    return Billed(highest_.Current(now), rate_max);
  }
  RequestUnits BilledLastHour(RequestUnits rate_max, Micros now) const {
    return Billed(highest_.LastFull(now), rate_max);
  }

 private:
  static RequestUnits Billed(int64_t highest_hundredths, RequestUnits rate_max) {
    const int64_t step = kBillingStep.hundredths();
    const int64_t rounded = (std::max<int64_t>(highest_hundredths, 0) + step - 1) / step * step;
    const int64_t max = rate_max.hundredths();
    return RequestUnits::FromHundredths(std::clamp(rounded, (max + 9) / 10, max));
  }

  PeriodMeter highest_{std::chrono::hours(1), Fold::kHighest};  // hundredths
};

}  // namespace orrery::partition
