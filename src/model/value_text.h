// Values as the text that people and CQL clients know them by.
#pragma once

#include <cstdint>
#include <string>

#include "model/value.h"

namespace orrery::model {

// Scalars only: numbers in digits, UUIDs with dashes, dates as 2024-02-29, times as
// 13:05:00.000000000, datetimes as 2024-02-29T13:05:00.000Z, durations as 1mo2d3ns, addresses in
// their usual notation, bytes as 0x and hex, texts as they are. Anything else as its JSON.
std::string ToText(const Value& value);

// "2024-02-29T13:05:00.000Z"; years outside 0-9999 have a sign and six digits.
std::string FormatDateTime(int64_t unix_ms);

std::string FormatUuid(const UuidBytes& uuid);
std::string FormatDecimal128(Decimal128Bits bits);
// The shortest digits that read back as the same number; whole numbers without a point. NaN and
// the infinities as JavaScript names them.
std::string FormatDouble(double number);
std::string FormatFloat(float number);

}  // namespace orrery::model
