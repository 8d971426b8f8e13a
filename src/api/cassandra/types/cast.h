// CAST(value AS type): which types can become which, and how, by Cassandra 4.1's table.
//
//   any number       -> any number, ascii, text
//   ascii            -> text
//   boolean, inet, uuid, timeuuid, date, time, timestamp -> ascii, text
//   timeuuid         -> timestamp, date        timestamp <-> date
//   any type         -> itself
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

bool CanCast(const Type& from, const Type& to);

// Numbers convert as Java's do: whole numbers lose their upper bits, reals are cut towards zero and
// kept within int or bigint first, varint is reached by way of bigint. Null and the empty value
// give null. kInvalidArgument when the value has none in `to` (NaN as decimal). REQUIRES:
// CanCast(from, to), and Validate accepts the value.
Result<std::optional<std::string>> Cast(const Type& from, const Type& to,
                                        std::optional<std::string_view> value);

}  // namespace orrery::cassandra
