// MurmurHash3 in the three forms that clients of the APIs compute too. All have seed 0.
//
// Bytes in, number out; which bytes a key has is partition/key/partition_key.h's business.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash128.h"

namespace orrery {

// x64 128. `high` is the first 64-bit half (h1), `low` the second (h2).
Hash128 Murmur3(std::string_view bytes);

// As Apache Cassandra computes it: the bytes after the last whole block of 16 are taken as signed,
// so the result differs from Murmur3 when one of them is 0x80 or above.
Hash128 CassandraMurmur3(std::string_view bytes);

// x86 32.
uint32_t Murmur3Short(std::string_view bytes);

}  // namespace orrery
