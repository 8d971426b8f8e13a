// Dates as HTTP headers write them: "Sun, 06 Nov 1994 08:49:37 GMT". Some clients say UTC there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace orrery::net {

// `since_epoch` is wall time; fractions of a second are cut off. REQUIRES: a year from 1970 to
// 9999.
std::string FormatHttpDate(Micros since_epoch);

// The inverse, in any letter case; nullopt for anything else, also for a weekday that the date does
// not have.
std::optional<Micros> ParseHttpDate(std::string_view text);

}  // namespace orrery::net
