// Decimals brought to a scale, as BigDecimal.setScale and BigDecimal.divide do it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

// All REQUIRE bytes that Validate accepts and that are not empty, and give kInvalidArgument for
// numbers above kBigNumberBytesMax, or whose result would be.

// To whole numbers, scale 0, halves away from zero.
Result<std::string> RoundDecimal(std::string_view decimal);
// The varint that is before the point.
Result<std::string> TruncateDecimal(std::string_view decimal);
// At the dividend's own scale, halves to the even neighbour. REQUIRES: divisor > 0.
Result<std::string> DivideHalfEven(std::string_view decimal, int64_t divisor);

}  // namespace orrery::cassandra
