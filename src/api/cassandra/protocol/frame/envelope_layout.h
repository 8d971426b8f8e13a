// The offsets of fields within an envelope's header; envelope.h has the grammar.
#pragma once

#include <cstddef>

namespace orrery::cassandra {

inline constexpr size_t kFlagsOffset = 1;
inline constexpr size_t kStreamOffset = 2;
inline constexpr size_t kOpcodeOffset = 4;
inline constexpr size_t kSizeOffset = 5;

}  // namespace orrery::cassandra
