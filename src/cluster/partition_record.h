// What is stored about a physical partition: which slices it hosts, whose it is, where it came
// from.
//
//   record   := version:uint8 (2) id:varint epoch:varint tenancy:uint8 owner:varint
//               n:varint slice*n  m:varint parent:varint*m
//   slice    := container:varint first:hash16 last:hash16 begin_epk:bytes
//   bytes    := length:varint byte*length
//
// Version 1, which is still read, has no begin_epk.
// Parents are the whole ancestry, oldest first, as clients are told it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "cluster/tenancy.h"
#include "partition/map/partition_map.h"

namespace orrery::cluster {

using partition::Slice;

// A partition has at most one slice of a container.
struct PartitionRecord {
  PartitionId id;
  Epoch epoch;
  Tenancy tenancy;
  std::vector<Slice> slices;
  std::vector<PartitionId> parents;

  friend bool operator==(const PartitionRecord&, const PartitionRecord&) = default;
};

inline constexpr std::string_view kPartitionRecordPrefix = "pt/";
std::string PartitionRecordKey(PartitionId id);
std::string EncodePartitionRecord(const PartitionRecord& record);
Result<PartitionRecord> DecodePartitionRecord(std::string_view bytes);

}  // namespace orrery::cluster
