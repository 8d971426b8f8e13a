// Reads dates from text: in the many ways in which people and programs write them, and by the
// formats of $dateFromString.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "model/time/time_zone.h"

namespace orrery::mongo {

// Returns milliseconds since 1970. A text without a zone is of `zone`, or of UTC; one with a zone
// is refused where `zone` is given, unless that is an offset of nothing. kConversionFailure for
// what is no date or lacks year, month or day; 18535 and 18536 for a bad format.
Answer<int64_t> DateOfText(std::string_view text, std::optional<std::string_view> format,
                           const std::optional<model::TimeZone>& zone, bool zone_is_offset);

}  // namespace orrery::mongo
