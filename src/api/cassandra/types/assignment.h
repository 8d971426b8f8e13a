// Which values may stand where a value of another type is wanted: the rules by which Cassandra
// finds a function for its arguments and accepts a term for a column.
#pragma once

#include <cstdint>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// In rising order: an exact match beats a weak one.
enum class Assignability : uint8_t { kNot, kWeak, kExact };

// A value of type `source` where one of type `receiver` is wanted.
Assignability TestAssignment(const Type& source, const Type& receiver);

// Whether the bytes of any value of `source` mean the same as a `receiver`: ascii for text,
// timeuuid for uuid, int for varint, anything for blob ... Also what ALTER TABLE would allow.
bool IsValueCompatible(const Type& source, const Type& receiver);

}  // namespace orrery::cassandra
