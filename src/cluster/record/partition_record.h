// A PartitionRecord is the stored description of a physical partition: which slices it hosts, its
// throughput owner, its ancestors.
//
//   record   := version:uint8 (2) id:varint epoch:varint tenancy:uint8 owner:varint
//               n:varint slice*n  m:varint parent:varint*m
//   slice    := container:varint first:hash16 last:hash16 begin_epk:bytes
//   bytes    := length:varint byte*length
//
// Version 1, which is still read, has no begin_epk.
// Parents are the ancestry, oldest first, as clients are told it: the last kAncestorsMax of it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "cluster/throughput_owner.h"
#include "partition/map/partition_map.h"

namespace orrery::cluster {

using partition::Slice;

// A partition has at most one slice of a container.
struct PartitionRecord {
  PartitionId id;
  Epoch epoch;
  ThroughputOwner throughput_owner;
  std::vector<Slice> slices;
  std::vector<PartitionId> parents;

  friend bool operator==(const PartitionRecord&, const PartitionRecord&) = default;
};

// A session token names the partition that a write went to; its position holds for the descendants
// whose ancestry names that partition. An ancestor that is forgotten asks for nothing any more,
// which is safe: positions go on rising from parent to child, so that a descendant that far down is
// beyond every position its ancestor gave.
inline constexpr size_t kAncestorsMax = 256;
// Returns the ancestry of a partition made out of `parents`: theirs and themselves.
std::vector<PartitionId> AncestryFrom(std::initializer_list<const PartitionRecord*> parents);

inline constexpr std::string_view kPartitionRecordPrefix = "pt/";
std::string PartitionRecordKey(PartitionId id);
// The key as a person reads it: "pt/7".
std::string PartitionRecordName(std::string_view key);
std::string EncodePartitionRecord(const PartitionRecord& record);
Result<PartitionRecord> DecodePartitionRecord(std::string_view bytes);

}  // namespace orrery::cluster
