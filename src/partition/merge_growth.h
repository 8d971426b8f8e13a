// MergeGrowth knows about how many bytes were merged into each of the keys that grow most, so that
// the size of a value that nobody reads is looked at now and then.
//
// Keys are distinguished by their hashes, in a table of fixed size: one that comes seldom makes
// room for one that comes often. An error costs one look too many, or a later one.
//
// For one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery::partition {

class MergeGrowth {
 public:
  // A single change that is so large, or changes that come to so much, are worth a look.
  static constexpr size_t kLargeChange = size_t{64} << 10;
  static constexpr size_t kLookAfter = size_t{1} << 20;

  // Counts `bytes` more of a key; whether to look at its size. Then counting begins anew.
  bool Add(size_t hash, size_t bytes) {
    if (bytes >= kLargeChange) return true;
    Growth& growth = growths_[hash % growths_.size()];
    const auto tag = static_cast<uint32_t>(hash >> 32);
    if (growth.tag != tag) {
      if (growth.bytes > bytes) {
        growth.bytes -= bytes;
        return false;
      }
      growth = {.tag = tag, .bytes = 0};
    }
    growth.bytes += bytes;
    if (growth.bytes < kLookAfter) return false;
    growth.bytes = 0;
    return true;
  }
  // The key is as large as it may be: its next change is looked at, too.
  void Full(size_t hash) {
    growths_[hash % growths_.size()] = {.tag = static_cast<uint32_t>(hash >> 32),
                                        .bytes = kLookAfter};
  }

 private:
  struct Growth {
    uint32_t tag = 0;
    size_t bytes = 0;
  };
  std::array<Growth, 256> growths_{};
};

}  // namespace orrery::partition
