// A PinnedValue is a value read in place: it points into the block cache or holds a copy made from
// a memtable, and keeps it alive.
//
// Reuse one for many reads: a reused one allocates nothing. It needs no heap object of its own,
// because point reads are the hottest path there is.
//
// Not thread-safe. Destroy or Reset() before the engine that filled it.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::storage {

class PinnedValue {
 public:
  PinnedValue();
  ~PinnedValue();
  PinnedValue(PinnedValue&&) noexcept;  // leaves the source empty
  PinnedValue& operator=(PinnedValue&&) noexcept;

  // Good until the next read into this object, Reset or destruction.
  std::string_view view() const;
  // Holds a copy of bytes that come from elsewhere.
  void Assign(std::string_view bytes);
  void Reset();

 private:
  friend class Engine;
  // In place of a rocksdb::PinnableSlice, whose header must not be seen here.
  static constexpr size_t kBytes = 96;
  alignas(8) std::byte storage_[kBytes];
};

}  // namespace orrery::storage
