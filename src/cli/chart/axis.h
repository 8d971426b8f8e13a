// Computes the marks of an axis and their labels. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace orrery::cli {

// Round numbers (1, 2 or 5 times a power of ten apart) from 0 until `highest` is reached; at most
// `steps_max` steps. The last is the axis's end. REQUIRES: steps_max >= 2.
std::vector<double> RoundMarks(double highest, int steps_max);

// Round times from 0 to `duration`, which the last may fall short of; at most `steps_max` steps.
std::vector<Micros> TimeMarks(Micros duration, int steps_max);

// "36h", "90m", "14d": in the unit of the step between marks. REQUIRES: one of `marks`, which
// TimeMarks made.
std::string TimeLabel(Micros mark, const std::vector<Micros>& marks);

// "0", "250", "1.5k", "20M": at most three digits and a letter.
std::string ShortNumber(double number);

}  // namespace orrery::cli
