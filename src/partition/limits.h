// The documented limits of partitions, containers and items, in one place.
//
// All are settings: servers take the defaults, tests make them small. Constant while a server runs.
#pragma once

#include <cstdint>

namespace orrery::partition {

inline constexpr uint64_t kKilobyte = uint64_t{1} << 10;
inline constexpr uint64_t kMegabyte = uint64_t{1} << 20;
inline constexpr uint64_t kGigabyte = uint64_t{1} << 30;

struct Limits {
  // Storage.
  uint64_t logical_partition_bytes_max = 20 * kGigabyte;
  uint64_t fixed_container_bytes_max = 10 * kGigabyte;  // of its one logical partition too
  uint64_t physical_partition_bytes_max = 30 * kGigabyte;

  // Throughput, in request units per second.
  int64_t physical_partition_rate_max = 10'000;
  int64_t manual_rate_min = 400;
  int64_t manual_rate_step = 100;
  int64_t autoscale_rate_min = 1'000;  // of the maximum that is asked for
  int64_t autoscale_rate_step = 1'000;
  int64_t rate_max = 1'000'000;
  int64_t fixed_rate_max = 10'000;
  int64_t unlimited_rate_min = 1'000;
  bool meters = true;  // false: nothing is refused for want of throughput
  int64_t shared_containers_free = 25;  // more of them raise a shared database's minimum

  // Merging: neighbours with less than this, together and each.
  uint64_t merged_bytes_max = 20 * kGigabyte;
  int64_t merge_rate_max = 3'000;

  // Items.
  uint64_t item_bytes_max = 2 * kMegabyte;
  uint64_t partition_key_bytes_max = 2'048;
  uint64_t id_bytes_max = 2'048;  // APIs may allow less
  uint64_t batch_operations_max = 100;
  uint64_t batch_bytes_max = 2 * kMegabyte;
  uint64_t script_operations_max = 10'000;  // of a stored procedure, checks included
  uint64_t script_bytes_max = 16 * kMegabyte;
  uint64_t response_bytes_max = 4 * kMegabyte;
};

}  // namespace orrery::partition
