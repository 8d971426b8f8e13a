// Finds the ends of the literals that only CQL has: durations and UUIDs.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::cassandra {

// "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
inline constexpr size_t kUuidLength = 36;
bool StartsWithUuid(std::string_view text);

// The length of the unsigned duration that starts `text`, 0 when there is none:
//
//   units  := (digits unit)+      unit := y | mo | w | d | h | m | s | ms | us | µs | ns, any case
//   iso    := "P" [digits "Y"] [digits "M"] [digits "D"] ["T" [digits "H"] [digits "M"] [digits
//   "S"]]
//           | "P" digits "W"
//           | "P" yyyy "-" mm "-" dd "T" hh ":" mm ":" ss
//
// with at least one part after the "P", and after the "T" if it is there.
size_t ScanDuration(std::string_view text);

}  // namespace orrery::cassandra
