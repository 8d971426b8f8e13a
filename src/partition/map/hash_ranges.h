// Several ranges of the ring taken together.
#pragma once

#include <algorithm>
#include <span>

#include "base/hash128.h"
#include "partition/map/hash_range.h"

namespace orrery::partition {

inline bool AnyContains(std::span<const HashRange> ranges, Hash128 hash) {
  return std::ranges::any_of(ranges,
                             [hash](const HashRange& range) { return range.Contains(hash); });
}

}  // namespace orrery::partition
