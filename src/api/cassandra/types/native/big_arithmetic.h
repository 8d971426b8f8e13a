// Arithmetic and casts of varint and decimal values for arithmetic.h and cast.h, as Java's
// BigInteger and BigDecimal do them.
//
// Sums and products of decimals are exact up to 10,000 digits, then rounded half up; quotients have
// at least 32 significant digits and at most 1,000 after the point. Numbers above
// kBigNumberBytesMax, and results that would be, are kInvalidArgument.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

enum class Operator : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo };

// REQUIRES (all of them): bytes that Validate accepts and that are not empty.
Result<std::string> ComputeVarint(Operator op, std::string_view a, std::string_view b);
Result<std::string> ComputeDecimal(Operator op, std::string_view a, std::string_view b);
Result<std::string> NegateVarint(std::string_view bytes);
Result<std::string> NegateDecimal(std::string_view bytes);

// The lowest 64 bits, as BigInteger.longValue has them.
int64_t VarintLow64(std::string_view bytes);
// The same of what is before the point.
Result<int64_t> DecimalLow64(std::string_view bytes);

// As BigDecimal.valueOf: what Double.toString shows. kInvalidArgument for NaN and infinities.
Result<std::string> DecimalFromDouble(double value);

}  // namespace orrery::cassandra
