// PartitionStatistics says how much the partitions that a node has open hold and carry: the input
// of placement, and what other nodes show of them.
//
//   statistics := n:varint partition*n [keys*n]
//   partition := id:varint bytes:varint items:varint rate:varint granted:varint throttled:varint
//                m:varint (container:varint bytes:varint items:varint)*m
//   keys := l:varint large*l h:varint hot*h
//   large := container:varint length:varint key bytes:varint
//   hot := container:varint length:varint key rate:varint
//
// rate and granted are hundredths of RU/s. Keys are told only to those who ask for them: placement
// asks every second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "cluster/topology.h"

namespace orrery::cluster {

struct PartitionStatistics {
  PartitionId id;
  uint64_t bytes = 0;
  uint64_t items = 0;
  double request_units_per_second = 0;  // of the last second
  double granted = 0;                   // RU/s that it may carry; 0: it is not metered
  uint64_t throttled = 0;               // requests refused, ever
  struct Share {
    ContainerId container;
    uint64_t bytes = 0;
    uint64_t items = 0;
  };
  std::vector<Share> shares{};  // what of it is each container's
  struct Key {
    ContainerId container;
    std::string partition_key;  // encoded tuple
    uint64_t bytes = 0;
    double request_units_per_second = 0;
  };
  std::vector<Key> largest{};  // with bytes
  std::vector<Key> hottest{};  // with rates
};

// The number of keys of a partition that are reported, of each kind.
inline constexpr size_t kKeysInStatistics = 10;
enum class StatisticsDetail { kPlain, kWithKeys };

std::vector<PartitionStatistics> StatisticsOf(const Topology& topology, Micros now,
                                              StatisticsDetail detail = StatisticsDetail::kPlain);

// The request: empty, or with keys.
std::string EncodeStatisticsRequest(StatisticsDetail detail);
StatisticsDetail DecodeStatisticsRequest(std::string_view request);

std::string EncodeStatistics(const std::vector<PartitionStatistics>& statistics);
Result<std::vector<PartitionStatistics>> DecodeStatistics(
    std::string_view bytes);  // kInvalidArgument

}  // namespace orrery::cluster
