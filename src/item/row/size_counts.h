// SizeCounts says whether a logical partition of rows that seems full really is.
//
// Rows are written without reading, so their sizes only grow as they are recorded: what is written
// again counts twice, and what is deleted goes on counting. A recorded size beyond the limit is
// therefore a reason to count, not to refuse: a write is refused only on the word of a recent count
// (row_count.h), and let in while there is none. Counting is up to maintenance, which asks for what
// is due.
//
// Its state is lost with the process, or when the partition splits. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "base/mutex.h"

namespace orrery::item {

struct CountedKey {
  ContainerId container;
  Hash128 hash;
  std::string partition_key;  // encoded component
  friend auto operator<=>(const CountedKey&, const CountedKey&) = default;
};

class SizeCounts {
 public:
  // Writes that are refused ask for another count after so long, for rows may have been deleted.
  static constexpr Micros kCountAgain{std::chrono::seconds(30)};
  // An older count refuses nothing.
  static constexpr Micros kCountHolds{std::chrono::seconds(120)};
  // A partition that had room and grew by this part of its limit since is counted again.
  static constexpr uint64_t kGrowthDivisor = 64;
  static constexpr size_t kKeysMax = 256;

  // A write would take the recorded size to `bytes`, beyond `bytes_max`. True: refuse it.
  bool Refuses(const CountedKey& key, uint64_t bytes, uint64_t bytes_max, Micros now)
      EXCLUDES(mutex_);

  bool AnyDue() const EXCLUDES(mutex_);
  // Those to count now. Each comes once until a count of it is recorded or given up.
  std::vector<CountedKey> TakeDue() EXCLUDES(mutex_);
  // The size was counted, and corrected to `bytes`. REQUIRES: it was taken.
  void Counted(const CountedKey& key, uint64_t bytes, Micros now) EXCLUDES(mutex_);
  // It could not be counted: it is due again.
  void GaveUp(const CountedKey& key) EXCLUDES(mutex_);

 private:
  struct Count {
    enum class Next : uint8_t { kNothing, kDue, kUnderWay } next = Next::kNothing;
    std::optional<Micros> time;
    uint64_t bytes = 0;
  };

  // Makes room for one more key. False when all are needed.
  bool MakeRoomLocked() REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<CountedKey, Count> counts_ GUARDED_BY(mutex_);
};

}  // namespace orrery::item
