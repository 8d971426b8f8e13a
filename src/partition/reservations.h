// Reservations say which keys open transactions have written, before any of it is stored: the first
// to write a key has it until it ends. Another transaction is refused; a write outside waits.
//
// They are in memory, for all partitions of a process: keys of items say their container and place,
// so they stay right when partitions split or merge. Nothing durable rests on them: a commit checks
// the versions that it replaces.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"

namespace orrery::partition {

class Reservations {
 public:
  // Names a transaction of this process. 0: none.
  using Holder = uint64_t;
  using Resume = std::move_only_function<void()>;

  // Writes that may wait at once, for all holders together.
  static constexpr size_t kWaitersMax = 100'000;

  // Returns whether anything is reserved. One relaxed load, for the hot path: a reservation made
  // meanwhile may be missed.
  bool any() const { return count_.load(std::memory_order_relaxed) != 0; }

  // Reserves a key, again is fine. False when another holder has it.
  [[nodiscard]] bool Reserve(std::string_view key, Holder holder) EXCLUDES(mutex_);
  // Returns who has the key; 0: nobody.
  Holder HolderOf(std::string_view key) const EXCLUDES(mutex_);
  bool Holds(Holder holder) const EXCLUDES(mutex_);
  // Ends all reservations of a holder, and calls what waits for it, on this thread.
  void Release(Holder holder) EXCLUDES(mutex_);

  // Calls `resume` once, when the holder has released its keys. kGone: it has none, kFull: too many
  // wait; then `resume` is as it was.
  enum class Wait : uint8_t { kWaits, kGone, kFull };
  Wait WaitFor(Holder holder, Resume& resume) EXCLUDES(mutex_);

  size_t size() const { return count_.load(std::memory_order_relaxed); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  struct Held {
    std::vector<std::string_view> keys;  // of by_key_
    std::vector<Resume> waiters;
  };

  std::atomic<size_t> count_{0};
  mutable Mutex mutex_;
  std::unordered_map<std::string, Holder, Hash, std::equal_to<>> by_key_ GUARDED_BY(mutex_);
  std::unordered_map<Holder, Held> by_holder_ GUARDED_BY(mutex_);
  size_t waiters_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::partition
