// The limits of a vector index's settings, as documented.
#pragma once

#include <cstdint>

namespace orrery::sql {

inline constexpr int64_t kQuantizationBytesMax = 512;
inline constexpr int64_t kSearchListMin = 25;
inline constexpr int64_t kSearchListMax = 500;

}  // namespace orrery::sql
