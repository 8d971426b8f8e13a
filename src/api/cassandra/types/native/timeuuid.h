// UUIDs as text, and the time in version 1 UUIDs. A UUID is its 16 bytes in network order.
//
// A version 1 UUID has a time in units of 100 ns since 1582-10-15, then eight bytes that tell apart
// those made at the same time: clock sequence and node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"

namespace orrery::cassandra {

// Hex digits in groups of 8-4-4-4-12, in any case.
Result<std::string> ParseUuid(std::string_view text);
// REQUIRES: 16 bytes.
std::string UuidText(std::string_view bytes);
int UuidVersion(std::string_view bytes);

// `node` are the last eight bytes; the caller makes them unique per process and gives no two calls
// the same time. The variant bits are set here.
std::string MakeTimeUuid(Micros unix_time, uint64_t node);

// The first and last timeuuid of a millisecond in Cassandra's order: bounds for queries, never ids.
std::string MinTimeUuid(int64_t unix_ms);
std::string MaxTimeUuid(int64_t unix_ms);

// REQUIRES: a version 1 UUID.
int64_t TimeUuidMillis(std::string_view bytes);

// A random (version 4) UUID from sixteen random bytes.
std::string MakeRandomUuid(uint64_t high, uint64_t low);

}  // namespace orrery::cassandra
