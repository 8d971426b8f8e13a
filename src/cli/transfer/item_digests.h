// ItemDigests says of items whether they are there: a bag of digests that is filled from one side
// and emptied from the other. What is left was not found.
//
// 16 bytes of memory for each item, and what a hash map needs. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/hash128.h"
#include "model/value.h"

namespace orrery::cli {

// Returns the same for values that differ in the order of fields alone.
Hash128 DigestOfItem(const model::Value& item);

class ItemDigests {
 public:
  void Add(Hash128 digest) {
    ++counts_[digest];
    ++left_;
  }
  // Takes one of it out, if it is there.
  void Remove(Hash128 digest) {
    const auto found = counts_.find(digest);
    if (found == counts_.end()) return;
    if (--found->second == 0) counts_.erase(found);
    --left_;
  }
  uint64_t left() const { return left_; }

 private:
  struct Hash {
    size_t operator()(const Hash128& hash) const { return hash.low; }
  };
  std::unordered_map<Hash128, uint32_t, Hash> counts_;
  uint64_t left_ = 0;
};

}  // namespace orrery::cli
