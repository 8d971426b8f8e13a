// Arithmetic on BSON's decimal128: IEEE 754-2008, 34 digits, rounded half to even.
//
// Results have the exponent that the standard prefers (1.0 + 2 is 3.0), NaN in is NaN out, and what
// is too large is an infinity. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/value.h"

namespace orrery::model {

Decimal128Bits Decimal128FromInt(int64_t number);
// Rounded to `digits` significant digits. All bits of the double are taken with 34.
Decimal128Bits Decimal128FromDouble(double number, int digits = 34);
// "1.50", "-2E+5", "NaN", "Infinity"; rounded to 34 digits. Nullopt for other text.
std::optional<Decimal128Bits> Decimal128FromText(std::string_view text);

bool IsNan(Decimal128Bits number);
bool IsInfinite(Decimal128Bits number);
bool IsNegative(Decimal128Bits number);  // the sign bit, also of zero
bool IsZero(Decimal128Bits number);

Decimal128Bits Negate(Decimal128Bits number);
Decimal128Bits Add(Decimal128Bits a, Decimal128Bits b);
Decimal128Bits Multiply(Decimal128Bits a, Decimal128Bits b);
Decimal128Bits Divide(Decimal128Bits a, Decimal128Bits b);
// The remainder with the sign of `a`.
Decimal128Bits Modulo(Decimal128Bits a, Decimal128Bits b);

enum class DecimalRounding : uint8_t { kHalfEven, kTowardZero, kFloor, kCeiling };
// To a multiple of 10^exponent.
Decimal128Bits RoundTo(Decimal128Bits number, int32_t exponent, DecimalRounding rounding);

// Nullopt for NaN, infinities and what does not fit; rounded toward zero.
std::optional<int64_t> TruncateToInt(Decimal128Bits number);

enum class DecimalFunction : uint8_t {
  kSqrt,
  kExp,
  kLn,
  kLog10,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
};
Decimal128Bits Apply(DecimalFunction function, Decimal128Bits number);
Decimal128Bits Power(Decimal128Bits base, Decimal128Bits exponent);
Decimal128Bits ArcTangent2(Decimal128Bits y, Decimal128Bits x);

}  // namespace orrery::model
