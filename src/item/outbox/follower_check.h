// Whether followers may be stored: what could never be delivered, or not twice, must be refused
// before the write that it follows from is taken, because afterwards nobody can be told.
//
// A FollowerCheck adds up what one write brings, from its request and from its program. Cheap to
// copy. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "item/row/row_changes.h"

namespace orrery::item {

// Of one write, in all.
inline constexpr size_t kFollowersMax = 65'536;
inline constexpr size_t kFollowerBytesMax = 16 << 20;

struct FollowerLimits {
  uint64_t partition_key_bytes_max = UINT16_MAX;
  uint64_t row_bytes_max = kFollowerBytesMax;
};

class FollowerCheck {
 public:
  explicit FollowerCheck(const FollowerLimits& limits) : limits_(limits) {}

  // kInvalidArgument: an empty partition key, followers of followers, a counter.
  // kTooLarge: a key, a row or all of them together exceed a limit. kCorruption: a row's bytes are
  // no row.
  Status Add(std::span<const Follower> followers);

  size_t bytes() const { return bytes_; }

 private:
  Status AddOne(const Follower& follower);
  Status AddBytes(size_t bytes);

  FollowerLimits limits_;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace orrery::item
