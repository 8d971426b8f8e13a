// Tokens and serialized keys of row containers, for the APIs: they see the ring's outer face only,
// -2^63 .. 2^63-1. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

// The token of a partition key's serialized bytes: Apache Cassandra's own.
int64_t TokenOf(std::string_view serialized_key);
int64_t TokenOf(Hash128 position);

// The bytes of a partition key: a column's own, or several joined. kInvalidArgument for a component
// beyond 65,535 bytes.
Result<std::string> JoinKeyComponents(std::span<const std::string_view> components);
// The reverse. kCorruption when the bytes are not so many components.
Result<std::vector<std::string_view>> SplitKeyComponents(std::string_view serialized_key,
                                                         size_t count);

// All positions whose token is at least `first` and at most `last`; none when that is empty.
std::optional<partition::HashRange> RangeOfTokens(int64_t first, int64_t last);

}  // namespace orrery::gateway
