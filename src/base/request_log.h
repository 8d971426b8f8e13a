// The log of requests that took long or cost much.
//
// Process-wide, as the log is. Thread-safe; a request that is neither costs two comparisons.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/request_units.h"

namespace orrery {

// From which time and which charge on a request is logged; zero: never.
struct RequestLogLimits {
  Micros slow{0};
  RequestUnits expensive{};
};

void SetRequestLog(RequestLogLimits limits);

// Logs the request at level info if it is past one of the limits.
void LogIfNotable(std::string_view api, std::string_view operation, Micros took,
                  RequestUnits charge, bool failed);

}  // namespace orrery
