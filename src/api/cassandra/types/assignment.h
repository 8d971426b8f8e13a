// The rules by which a value of one type may stand where another is wanted: by these Cassandra
// finds a function for its arguments and accepts a term for a column.
#pragma once

#include <cstdint>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// In rising order: an exact match beats a weak one.
enum class Assignability : uint8_t { kNot, kWeak, kExact };

// A value of type `source` where one of type `receiver` is wanted.
Assignability TestAssignment(const Type& source, const Type& receiver);

// Returns whether the bytes of any value of `source` mean the same as a `receiver`: ascii for text,
// timeuuid for uuid, int for varint, anything for blob ... Also what ALTER TABLE would allow.
bool IsValueCompatible(const Type& source, const Type& receiver);

}  // namespace orrery::cassandra
