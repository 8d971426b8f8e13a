// MergeChains knows about how many changes the engine keeps apart of each of the keys that are
// merged most. Whoever reads such a key merges them all, until the memtable is written out: a hot
// counter would be read in ever more time. So after kFoldAfter changes its value is written whole.
//
// Keys are distinguished by their hashes, in a table of fixed size: one that comes seldom makes
// room for one that comes often. An error costs one write too many, or a few longer reads.
//
// For one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery::partition {

class MergeChains {
 public:
  static constexpr uint32_t kFoldAfter = 1'024;

  // Counts `changes` more of a key. True when it is time to fold it: then counting begins anew.
  bool Add(size_t hash, uint32_t changes) {
    Chain& chain = chains_[hash % chains_.size()];
    const auto tag = static_cast<uint32_t>(hash >> 32);
    if (chain.tag != tag) {
      if (chain.changes > changes) {
        chain.changes -= changes;
        return false;
      }
      chain = {.tag = tag, .changes = 0};
    }
    chain.changes += changes;
    if (chain.changes < kFoldAfter) return false;
    chain.changes = 0;
    return true;
  }

 private:
  struct Chain {
    uint32_t tag = 0;
    uint32_t changes = 0;
  };
  std::array<Chain, 256> chains_{};
};

}  // namespace orrery::partition
