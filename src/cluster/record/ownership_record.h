// An OwnershipRecord says which node of a cluster has a physical partition open, or is to. On a
// single machine there are no such records: all partitions are its own.
//
//   "ow/" id:uint64 -> node:varint
#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::cluster {

inline constexpr std::string_view kOwnershipPrefix = "ow/";
std::string OwnershipKey(PartitionId id);
std::string EncodeOwner(NodeId owner);
// kCorruption, naming the partition.
struct Ownership {
  PartitionId partition;
  NodeId owner;
};
Result<Ownership> DecodeOwnership(std::string_view key, std::string_view value);

}  // namespace orrery::cluster
