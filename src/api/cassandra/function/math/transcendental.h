// exp, log and log10 of decimals, to as many digits as the decimal has itself: at least 32.
//
// Cassandra allows 10,000 digits; time grows with their cube, so numbers above kMathDigitsMax are
// refused here, and results have at most kMathResultDigitsMax.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

inline constexpr int64_t kMathDigitsMin = 32;
inline constexpr int64_t kMathResultDigitsMax = 200;
inline constexpr int64_t kMathDigitsMax = 1'000;

// Decimals in, decimals out. kInvalidArgument: too many digits, or no result. REQUIRES: bytes that
// Validate accepts and that are not empty.
Result<std::string> ExpDecimal(std::string_view decimal);
Result<std::string> LogDecimal(std::string_view decimal);
Result<std::string> Log10Decimal(std::string_view decimal);

}  // namespace orrery::cassandra
