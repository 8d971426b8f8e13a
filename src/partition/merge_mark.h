// The mark that a merge leaves in a partition's engine: the last position of both that it was made
// of. What is at or below it comes from two histories: positions rise with times in each, but not
// over both. It stays for good, and children of a split have it, too.
//
//   "\0mrg" -> last_lsn:uint64 last_time_us:uint64 (big-endian), as "\0seq"
#pragma once

#include <optional>
#include <string_view>

#include "base/status.h"
#include "partition/meta_keys.h"
#include "storage/engine/engine.h"

namespace orrery::partition {

inline constexpr std::string_view kMergeMarkKey{"\0mrg", 4};

// Returns nullopt if the partition never was merged.
inline Result<std::optional<Position>> ReadMergeMark(const storage::Engine& engine) {
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool exists, engine.Get(kMergeMarkKey, stored));
  if (!exists) return std::nullopt;
  Position mark;
  if (!DecodePosition(stored.view(), mark))
    return Fail(Code::kCorruption, "the partition's mark of a merge is damaged");
  return mark;
}

}  // namespace orrery::partition
