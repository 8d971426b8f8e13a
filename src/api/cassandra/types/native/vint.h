// Cassandra's variable-length integers, inside durations and vectors.
//
//   vint := first:uint8 byte*      ; the leading one bits of `first` say how many bytes follow
//
// The bits after them, big-endian through all bytes, are the number. Signed numbers are first
// turned to 0, -1, 1, -2 ... (zigzag). Not the LEB128 of base/bytes.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace orrery::cassandra {

void AppendUnsignedVint(std::string& out, uint64_t value);
void AppendVint(std::string& out, int64_t value);

// False, with `reader` where it was, when the bytes end too early.
[[nodiscard]] bool ReadUnsignedVint(ByteReader& reader, uint64_t& value);
[[nodiscard]] bool ReadVint(ByteReader& reader, int64_t& value);

}  // namespace orrery::cassandra
