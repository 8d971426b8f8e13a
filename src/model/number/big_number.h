// Whole and decimal numbers of any size, and the bytes that CQL and BSON keep them in.
//
// For source files of this folder: it brings in a large header. Others use number.h.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/value.h"

namespace orrery::model {

using BigInt = boost::multiprecision::cpp_int;

// coefficient * 10^exponent.
struct BigDecimal {
  BigInt coefficient;
  int64_t exponent = 0;

  // Moves factors of ten from the coefficient to the exponent; zero gets exponent 0.
  void StripZeros();
};

// Two's complement, big-endian, shortest form.
BigInt BigIntFromBytes(std::string_view bytes);
std::string BytesFromBigInt(const BigInt& number);

BigInt PowerOfTen(uint32_t exponent);

// sign * 0.digits * 10^exponent, without leading or trailing zero digits: two decimals are equal if
// and only if all three are, whatever their scales.
struct ScientificDecimal {
  int sign = 0;  // -1, 0 or 1
  int64_t exponent = 0;
  std::string digits;
};

ScientificDecimal ToScientific(const DecimalView& decimal);
// False when the scale would not fit.
[[nodiscard]] bool FromScientific(const ScientificDecimal& number, Value& decimal);

inline constexpr int kDecimal128Digits = 34;
inline constexpr int kDecimal128ExponentMin = -6176;
inline constexpr int kDecimal128ExponentMax = 6111;

// The upper halves of the special values.
inline constexpr uint64_t kDecimal128SignBit = uint64_t{1} << 63;
inline constexpr uint64_t kDecimal128Infinity = uint64_t{0x1e} << 58;
inline constexpr uint64_t kDecimal128Nan = uint64_t{0x1f} << 58;

enum class Decimal128Form : uint8_t { kFinite, kInfinity, kNan };

struct UnpackedDecimal128 {
  Decimal128Form form = Decimal128Form::kFinite;
  bool negative = false;
  BigDecimal magnitude;  // not negative; when kFinite
};

UnpackedDecimal128 UnpackDecimal128(Decimal128Bits bits);
// False when 34 digits and the exponent's range cannot hold it exactly.
[[nodiscard]] bool PackDecimal128(bool negative, BigDecimal magnitude, Decimal128Bits& bits);

}  // namespace orrery::model
