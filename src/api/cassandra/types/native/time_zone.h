// Offsets from UTC by the names that people write after a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::cassandra {

// "Z", "+01", "+0130" or "+01:30", at most 18 hours, in seconds. nullopt for anything else.
std::optional<int32_t> ParseUtcOffset(std::string_view text);

// The same, and "UTC", "GMT", "UT" with or without an offset after them, abbreviations (CEST) and
// English names (Central European Summer Time), in any case.
std::optional<int32_t> ParseTimeZone(std::string_view text);

}  // namespace orrery::cassandra
