// The errors of a query as a whole, beyond its expressions (evaluate/bind_error.h).
//
// Codes from SC2950 on are our own: Cosmos DB has published none for these cases.
#pragma once

#include <string_view>

namespace orrery::sql {

inline constexpr std::string_view kSelectAllCode = "SC2040";  // * of several sources, or of none
inline constexpr std::string_view kSelectAllGroupedCode = "SC2041";
inline constexpr std::string_view kUngroupedCode = "SC2102";  // neither grouped by nor aggregated
inline constexpr std::string_view kDuplicateNameCode =
    "SC2950";  // of two values of one SELECT, two sources
inline constexpr std::string_view kRowCountCode = "SC2951";  // TOP, OFFSET, LIMIT below 0
inline constexpr std::string_view kTooManyJoinsCode = "SC2952";
inline constexpr std::string_view kRankCode = "SC2953";  // ORDER BY RANK of what cannot rank

}  // namespace orrery::sql
