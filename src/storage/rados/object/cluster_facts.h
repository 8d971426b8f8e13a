// The facts that a Ceph cluster reports about itself: how many copies a pool keeps, how healthy it
// is, where the copies of one object are. Parsed from the monitors' JSON, so that status pages and
// start-up checks need not know it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::storage::rados {

struct PoolFacts {
  uint32_t size = 0;      // copies of each object
  uint32_t min_size = 0;  // with fewer the pool serves nothing
  uint32_t placement_groups = 0;
  bool replicated = true;  // false: erasure-coded, which cannot keep entries
};

struct ClusterFacts {
  std::string id;                   // of the cluster, the same for its whole life
  std::string health;               // HEALTH_OK, HEALTH_WARN, HEALTH_ERR
  std::vector<std::string> checks;  // what is not as it should be: OSD_DOWN, ...
  uint32_t osds = 0;
  uint32_t osds_up = 0;
  uint64_t bytes_used = 0;  // with all copies
  uint64_t bytes_available = 0;
};

// Orrery's replica sets: four copies, served by three at least.
inline constexpr uint32_t kCopiesMin = 4;
inline constexpr uint32_t kServingCopiesMin = 3;

// kUnsupported when the pool is erasure-coded.
Status CheckKind(const PoolFacts& facts, std::string_view pool);
// kPreconditionFailed, with the command that mends it, when the pool keeps fewer copies than `size`
// or serves with fewer than `min_size`.
Status CheckCopies(const PoolFacts& facts, std::string_view pool, uint32_t size = kCopiesMin,
                   uint32_t min_size = kServingCopiesMin);

// Answers to the commands 'osd pool get POOL all', 'status', 'df detail' and 'osd map'.
// kUnavailable when the text is not what a monitor would say.
Result<PoolFacts> ParsePoolFacts(std::string_view json);
Result<ClusterFacts> ParseClusterFacts(std::string_view json);
// Returns how many more bytes of objects fit into the pool: by the disks, which keep each as often
// as the pool has copies, and by the pool's quota.
Result<uint64_t> ParseFreeBytes(std::string_view json, std::string_view pool);
// The OSDs that serve the object now, the first of them in charge.
Result<std::vector<uint32_t>> ParseCopies(std::string_view json);

}  // namespace orrery::storage::rados
