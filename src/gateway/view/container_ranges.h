// The ranges of a container as clients that hash on their own side are told them: by effective
// partition keys (EPKs), each with the partition that has it and where that came from.
//
// Thread-safe; every call looks at the moment of the call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

class Gateway;

struct ContainerRange {
  PartitionId partition;
  partition::HashRange range;
  std::string min_epk;                // "" for the first range
  std::string max_epk;                // "FF" for the last
  std::vector<PartitionId> ancestry;  // oldest first
  Lsn lsn;                            // the partition's last durable position
  uint64_t bytes = 0;                 // of the container, in this range
  uint64_t items = 0;
};

// In ring order, without a gap. kNotFound when the container was dropped.
Result<std::vector<ContainerRange>> RangesOf(const Gateway& gateway,
                                             const ContainerEntry& container);

// The range that a partition has of the container; nullopt when it has none (it split, merged or
// never was).
std::optional<partition::HashRange> FindRange(const Gateway& gateway,
                                              const ContainerEntry& container,
                                              PartitionId partition);

// The part of the ring whose keys have EPKs in [min, max), upper-case hex. Bounds that RangesOf
// told are met exactly. Under kV1, where the ring has the beginning of an EPK only, a bound that is
// a whole key's EPK takes in all keys of its position. kInvalidArgument when that is no range of
// EPKs, or an empty one.
Result<partition::HashRange> RangeOfEpks(const ContainerEntry& container, std::string_view min,
                                         std::string_view max);

}  // namespace orrery::gateway
