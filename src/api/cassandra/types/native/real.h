// float and double values as the text that Java shows and reads.
//
// "1.0", "0.001", "1.0E7", "NaN", "-Infinity": at least one digit after the point, an exponent
// below 10^-3 and from 10^7 on; the shortest digits that read back as the same number.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

std::string DoubleText(double value);
std::string FloatText(float value);

// Numbers beyond the range become infinite or zero. kInvalidArgument when the text is no number.
Result<double> ParseDouble(std::string_view text);
Result<float> ParseFloat(std::string_view text);

}  // namespace orrery::cassandra
