// Spans of time as people write them: "250ms", "90s", "15m", "1.5h", "30d".
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"

namespace orrery::cli {

// A number without a unit is refused: nobody knows what it means. kInvalidArgument also when it is
// negative or longer than 100 years.
Result<Micros> ParseDuration(std::string_view text);

// In the largest unit that leaves at most one decimal: "0s", "250ms", "1.5h", "36h", "30d".
std::string FormatDuration(Micros duration);

// A time since some start, as a clock shows it: "36:05", from two days on "2d 06:05"; with seconds
// when it is not a whole minute.
std::string FormatElapsed(Micros elapsed);

}  // namespace orrery::cli
