// How much the partitions that a node has open hold and carry: what placement goes by.
//
//   figures := n:varint (id:varint bytes:varint rate:varint)*n      rate: hundredths of RU/s
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
  double request_units_per_second = 0;  // of the last second
};

std::vector<PartitionFigures> FiguresOf(const Topology& topology, Micros now);

std::string EncodeFigures(const std::vector<PartitionFigures>& figures);
Result<std::vector<PartitionFigures>> DecodeFigures(std::string_view bytes);  // kInvalidArgument

}  // namespace orrery::cluster
