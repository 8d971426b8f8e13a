// How much the partitions that a node has open hold and carry: what placement goes by, and what
// other nodes show of them.
//
//   figures := n:varint partition*n
//   partition := id:varint bytes:varint items:varint rate:varint granted:varint throttled:varint
//                m:varint (container:varint bytes:varint items:varint)*m
//
// rate and granted are hundredths of RU/s.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "cluster/topology.h"

namespace orrery::cluster {

struct PartitionFigures {
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
};

std::vector<PartitionFigures> FiguresOf(const Topology& topology, Micros now);

std::string EncodeFigures(const std::vector<PartitionFigures>& figures);
Result<std::vector<PartitionFigures>> DecodeFigures(std::string_view bytes);  // kInvalidArgument

}  // namespace orrery::cluster
