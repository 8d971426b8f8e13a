// varint and decimal values: their bytes, their text, their order. big_arithmetic.h computes.
//
//   varint  := two's complement, big-endian, any length; written in its shortest form
//   decimal := scale:int32 varint      ; the number is varint * 10^-scale
//
// Text is as Java's BigInteger and BigDecimal have it. Turning bytes into digits costs the square
// of their number, so text and arithmetic refuse numbers above kBigNumberBytesMax; comparing does
// not need digits and takes any size.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

inline constexpr size_t kBigNumberBytesMax = size_t{16} << 10;
inline constexpr size_t kBigNumberDigitsMax = 39'000;  // fewer than kBigNumberBytesMax can hold

// kInvalidArgument when the text is no whole number: an optional sign and digits.
Result<std::string> ParseVarint(std::string_view text);
// An optional sign, digits with at most one point, an optional exponent ("-1.50E+3").
Result<std::string> ParseDecimal(std::string_view text);

// REQUIRES (of all below): bytes that Validate accepts and that are not empty.
Result<std::string> VarintText(std::string_view bytes);
// Plain digits, or with an exponent where BigDecimal.toString has one ("1E+3", "1E-7").
Result<std::string> DecimalText(std::string_view bytes);

std::weak_ordering CompareVarints(std::string_view a, std::string_view b);
std::weak_ordering CompareDecimals(std::string_view a, std::string_view b);

// The same number without needless leading bytes.
std::string_view ShortestVarint(std::string_view bytes);

std::string EncodeVarint(int64_t value);
std::string EncodeDecimal(int32_t scale, std::string_view unscaled);
int32_t DecimalScale(std::string_view bytes);
std::string_view DecimalUnscaled(std::string_view bytes);

}  // namespace orrery::cassandra
