// Dates as HTTP headers write them: "Sun, 06 Nov 1994 08:49:37 GMT".
#pragma once

#include <string>

#include "base/clock.h"

namespace orrery::net {

// `since_epoch` is wall time; fractions of a second are cut off. REQUIRES: a year from 1970 to
// 9999.
std::string FormatHttpDate(Micros since_epoch);

}  // namespace orrery::net
