// A DerivedWriteCheck decides whether derived writes may be stored: one that could never be
// delivered, or not twice, must be refused before the write that causes it is accepted, because
// afterwards nobody can be told.
//
// A DerivedWriteCheck adds up what one write brings, from its request and from its program. Cheap
// to copy. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "item/row/row_changes.h"

namespace orrery::item {

// Of one write, in all.
inline constexpr size_t kDerivedWritesMax = 65'536;
inline constexpr size_t kDerivedWriteBytesMax = 16 << 20;

struct DerivedWriteLimits {
  uint64_t partition_key_bytes_max = UINT16_MAX;
  uint64_t row_bytes_max = kDerivedWriteBytesMax;
};

class DerivedWriteCheck {
 public:
  explicit DerivedWriteCheck(const DerivedWriteLimits& limits) : limits_(limits) {}

  // kInvalidArgument: an empty partition key, derived writes of derived writes, a counter.
  // kTooLarge: a key, a row or all of them together exceed a limit. kCorruption: a row's bytes are
  // no row.
  Status Add(std::span<const DerivedWrite> derived_writes);

  size_t bytes() const { return bytes_; }

 private:
  Status AddOne(const DerivedWrite& derived_write);
  Status AddBytes(size_t bytes);

  DerivedWriteLimits limits_;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace orrery::item
