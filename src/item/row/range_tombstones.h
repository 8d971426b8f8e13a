// Ranges of a logical partition's rows that were deleted at once ("DELETE ... WHERE c > 3"): what
// was written in them before the deletion's time is invisible, also when it arrives later.
//
//   tombstone := bits:uint8 [upper:bytes] time:varint local:varint    ; bits: 01 upper follows
//   time      := zigzag, microseconds
//
// The key (key_layout.h) has where the range begins. Ranges are half open, over the bytes of
// clustering keys, and those of one logical partition never overlap: a new one takes the place of
// the older parts it meets, so one look decides about a row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "item/layout/key_layout.h"
#include "model/row/row.h"
#include "partition/group_writer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

// Of one logical partition. A range deletion looks at all of them.
inline constexpr size_t kRangeTombstonesMax = 100'000;

struct RangeTombstone {
  std::string lower;                 // inclusive
  std::optional<std::string> upper;  // exclusive; none: to the partition's end
  model::Deletion deletion;

  bool Contains(std::string_view clustering) const {
    return clustering >= lower && (!upper.has_value() || clustering < *upper);
  }
  friend bool operator==(const RangeTombstone&, const RangeTombstone&) = default;
};

void WriteRangeTombstoneValue(std::string& out, const RangeTombstone& range);
// kCorruption when the bytes are malformed. `lower` comes from the key.
Result<RangeTombstone> DecodeRangeTombstone(std::string_view lower, std::string_view value);

// Returns `ranges` (disjoint, rising) with `added` merged in. Pure.
std::vector<RangeTombstone> AddRangeTombstone(std::vector<RangeTombstone> ranges,
                                              const RangeTombstone& added);

// The same on the stored ranges of a logical partition, as of now at the earliest. kTooLarge beyond
// kRangeTombstonesMax.
Status InsertRangeTombstone(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                            std::string_view partition_key, const RangeTombstone& added);

// The range tombstones of a logical partition, rising; as the group under evaluation leaves them.
Result<std::vector<RangeTombstone>> ReadRangeTombstones(partition::GroupWriter& writer,
                                                        ContainerId container, Hash128 hash,
                                                        std::string_view partition_key);
// As stored.
Result<std::vector<RangeTombstone>> ReadRangeTombstones(const storage::Engine& engine,
                                                        ContainerId container, Hash128 hash,
                                                        std::string_view partition_key,
                                                        storage::ReadMode mode);

// The deletion that holds for a row; none when it is in no range. REQUIRES: disjoint and rising.
model::Deletion RangeTombstoneAt(const std::vector<RangeTombstone>& ranges,
                                 std::string_view clustering);

}  // namespace orrery::item
