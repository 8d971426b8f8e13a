// Remembers the largest logical partitions that it has been told of.
//
// A partition's size is known exactly whenever it changes, so the largest few are kept as they are;
// nothing is estimated. One that shrinks out of the list leaves its place to the next that grows.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"

namespace orrery::item {

struct LargeKey {
  ContainerId container;
  Hash128 hash;
  std::string partition_key;
  uint64_t bytes = 0;
};

inline constexpr size_t kLargestKeysMax = 64;

class LargestKeys {
 public:
  // The partition has this size now; 0 forgets it.
  void Note(LargeKey key);

  // A partition that is not known and no larger than this would not be remembered.
  uint64_t floor() const { return floor_; }

  // Largest first.
  std::vector<LargeKey> Top(size_t count) const;

 private:
  std::vector<LargeKey> keys_;  // in no order
  uint64_t floor_ = 0;          // size of the smallest when full
};

}  // namespace orrery::item
