// A BSON number taken out of its type: int32, int64, double and decimal128 that are equal have the
// same ExactNumber, and unequal ones never do.
//
// The binary fraction is cut after 127 bits; a last bit says whether anything was cut. Doubles and
// integers need at most 64 bits. Two decimal128 values differ by more than 2^-113 of themselves, so
// what is cut never tells them apart, and the last bit sets them off from the binary numbers.
//
//   exact_number := sign:uint8 [exponent:uint16 group+]   ; only negative and positive have the
//   rest sign         := 00 NaN | 01 -infinity | 02 negative | 03 zero | 04 positive | 05 infinity
//   exponent     := binary exponent + 32768, big-endian
//   group        := next 7 bits of the fraction << 1 | more   ; more: a bit set is still to come
//
// The exponent and groups of a negative number are complemented.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "model/value.h"

namespace orrery::model {

struct ExactNumber {
  enum class Sign : uint8_t {
    kNan = 0,
    kNegativeInfinity = 1,
    kNegative = 2,
    kZero = 3,
    kPositive = 4,
    kPositiveInfinity = 5,
  };

  Sign sign = Sign::kZero;
  int32_t exponent = 0;        // the magnitude is 1.fraction * 2^exponent
  uint64_t fraction_high = 0;  // the fraction's first 64 bits
  uint64_t fraction_low = 0;   // its next 63 bits, then the bit that says it was cut

  friend std::strong_ordering operator<=>(const ExactNumber& a, const ExactNumber& b);
  friend bool operator==(const ExactNumber&, const ExactNumber&) = default;
};

// REQUIRES: a number, but not varint or decimal, which have no bound.
ExactNumber ToExactNumber(const Value& number);

// The canonical value: int32 where it fits, else int64, else double, else decimal128. kCorruption
// when no BSON number is this one.
Result<Value> FromExactNumber(const ExactNumber& number);
// The same, but always a decimal128.
Result<Value> Decimal128FromExactNumber(const ExactNumber& number);

void AppendExactNumber(std::string& out, const ExactNumber& number);

}  // namespace orrery::model
