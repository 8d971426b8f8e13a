// Advice on partition keys, from what is really stored and asked: skew, hot keys, keys that grow
// towards their limit. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::gateway {

// A logical partition that stands out.
struct KeyFacts {
  std::string key;  // its values as JSON
  uint64_t bytes = 0;
  double request_units_per_second = 0;
  double partition_rate = 0;  // what its physical partition has, RU/s; 0 = unmetered
};

struct PartitionLoad {
  double used = 0;  // RU/s
  double rate = 0;  // 0 = unmetered
  uint64_t throttled = 0;
};

struct ContainerFacts {
  std::vector<std::string> key_paths;
  uint64_t bytes = 0;
  uint64_t logical_partition_bytes_max = 0;
  std::vector<KeyFacts> largest;  // by bytes, largest first
  std::vector<KeyFacts> hottest;  // by RU/s, hottest first
  std::vector<PartitionLoad> partitions;
};

// Below this a container is too small to tell anything from its shape.
inline constexpr uint64_t kAdviceBytesMin = uint64_t{1} << 20;

// Sentences for people, the most urgent first; none when all is well.
std::vector<std::string> AdviceFor(const ContainerFacts& facts);

}  // namespace orrery::gateway
