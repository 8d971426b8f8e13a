// Values as text: what asString() and concat() give, and what error messages show. The forms are
// those of Java's toString(), because clients compare them: v[1], e[7][1-knows->2], [a, b], {a=1}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

std::string ToText(const Value& value);

// Shortest digits that read back, with ".0" for whole numbers.
std::string DoubleText(double number);
std::string UuidText(const UuidBytes& uuid);
std::optional<UuidBytes> ParseUuid(std::string_view text);

// Milliseconds since 1970 of an ISO 8601 date or date and time; without an offset it is UTC.
std::optional<int64_t> ParseDate(std::string_view text);
// "2023-08-02T00:00:00Z"
std::string DateText(int64_t unix_ms);

}  // namespace orrery::gremlin
