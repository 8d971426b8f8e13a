// A LookupCache keeps answers of look-ups in memory, as an API has decoded them: items found by
// their keys, and lists of items found by a value (docs/decisions/0060-decoded-lookups.md).
//
// It is bounded by bytes, and knows nothing of validity: whoever finds an answer asks whether it
// still holds (lookup_step.h). What has not been used for longest goes first, in halves: answers
// are kept in a young and an old generation; a use makes an answer young, and when the young ones
// have half of the room, they become the old ones and the former old ones go.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::gateway {

// One answer, with what it depends on. Immutable.
struct KeptAnswer {
  // A slot of the versions of the container's n-th partition (item/read/lookup_versions.h).
  struct Slot {
    uint32_t partition = 0;
    uint32_t slot = 0;
  };

  std::vector<std::shared_ptr<const void>> values;  // what the API made of the items that it keeps
  uint64_t layout = 0;                              // of the container's partitions
  std::vector<Slot> slots;
  uint64_t stamp = 0;  // the sum of the slots' words
  Micros expiry{0};    // when the first item expires
  // The work to read it, for which it is charged each time: in each partition that was read.
  struct Work {
    uint32_t partition = 0;
    uint64_t records = 0;
    uint64_t bytes = 0;
  };
  std::vector<Work> work;
  bool is_list = false;  // found by a value, not by its key
  // Encoded, of what is in one logical partition: to note which keys are used.
  std::string partition_key{};
  size_t memory_bytes = 0;
};

class LookupCache {
 public:
  explicit LookupCache(size_t bytes_max) : shard_bytes_max_(bytes_max / kShards) {}
  LookupCache(const LookupCache&) = delete;
  LookupCache& operator=(const LookupCache&) = delete;

  // Null if nothing is kept under the name.
  std::shared_ptr<const KeptAnswer> Find(std::string_view name);
  void Keep(std::string name, std::shared_ptr<const KeptAnswer> answer);
  size_t bytes() const;

 private:
  static constexpr size_t kShards = 16;
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  using Answers =
      std::unordered_map<std::string, std::shared_ptr<const KeptAnswer>, NameHash, std::equal_to<>>;
  struct Generation {
    Answers answers;
    size_t bytes = 0;
  };
  struct Shard {
    mutable Mutex mutex;
    Generation young GUARDED_BY(mutex);
    Generation old GUARDED_BY(mutex);
  };

  Shard& ShardOf(std::string_view name) { return shards_[(NameHash{}(name) >> 40) % kShards]; }
  // Puts it among the young ones. What goes is put into `gone`, to be destroyed without the lock.
  void PutLocked(Shard& shard, std::string name, std::shared_ptr<const KeptAnswer> answer,
                 Answers& gone) REQUIRES(shard.mutex);

  const size_t shard_bytes_max_;
  Shard shards_[kShards];
};

}  // namespace orrery::gateway
