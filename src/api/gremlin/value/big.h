// BigInteger and BigDecimal out of digits and bytes.
#pragma once

#include <optional>
#include <string_view>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

// Digits with an optional sign; nullopt for anything else, and beyond kBigDigitsMax.
inline constexpr size_t kBigDigitsMax = 4'000;
std::optional<Value> ParseBigInteger(std::string_view digits);
// Digits with an optional point and exponent.
std::optional<Value> ParseBigDecimal(std::string_view digits);

}  // namespace orrery::gremlin
