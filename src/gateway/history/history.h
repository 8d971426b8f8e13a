// A History keeps the series of all physical partitions, also of those that split, merged or moved,
// within a bound of memory: when it is full, the finest tier of the partitions that did least goes
// first.
//
// Series live in memory: a restart ends them. Thread-safe; nothing here is on the path of a
// request.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "cluster/record/partition_record.h"
#include "gateway/history/series.h"

namespace orrery::gateway {

// The facts of a partition in one second.
struct PartitionSample {
  PartitionId id;
  SeriesRow row;
  double rate = 0;  // RU/s; 0: unmetered
  uint64_t node = 0;
  std::shared_ptr<const cluster::PartitionRecord> record;
};

// The past of one partition, as far as it was asked for.
struct PartitionPast {
  PartitionId id;
  std::optional<int64_t> born_ms;  // none: before the history begins
  std::optional<int64_t> died_ms;
  std::vector<PartitionId> parents;  // that it came out of, as far as their past is kept
  std::vector<PartitionId> children;
  std::vector<partition::HashRange> ranges;  // of the container that was asked for
  uint64_t node = 0;
  std::vector<std::pair<int64_t, double>> rates;  // (milliseconds, RU/s), as they changed
  std::vector<std::optional<SeriesRow>> rows;
};

class History {
 public:
  static constexpr size_t kRateChangesMax = 64;

  // `bytes_max` 0: nothing is kept.
  explicit History(size_t bytes_max) : bytes_max_(bytes_max) {}

  bool is_kept() const { return bytes_max_ > 0; }

  // Adds the samples of a second, of all partitions that there are: those that are not among them
  // any more have died. A partition that was not there before was born, unless it is the first
  // second.
  void Add(int64_t second, const std::vector<PartitionSample>& samples) EXCLUDES(mutex_);
  // Notes what took the place of what.
  void NoteChange(const std::vector<PartitionId>& before, const std::vector<PartitionId>& after)
      EXCLUDES(mutex_);

  // The first second; none: there is no history yet.
  std::optional<int64_t> since() const EXCLUDES(mutex_);
  // Returns the finest tier that has what is so old.
  static size_t TierFor(int64_t age_s);
  // The partitions that had a part of the container between two seconds, oldest first.
  std::vector<PartitionPast> Of(ContainerId container, size_t tier, int64_t from_s,
                                int64_t to_s) const EXCLUDES(mutex_);
  size_t bytes() const EXCLUDES(mutex_);
  // RU of the highest second of the last ten minutes.
  double HighestOf(PartitionId id) const EXCLUDES(mutex_);

 private:
  struct Life {
    Series series;
    std::optional<int64_t> born_s;
    std::optional<int64_t> died_s;
    std::vector<PartitionId> children;
    std::shared_ptr<const cluster::PartitionRecord> record;
    uint64_t node = 0;
    std::vector<std::pair<int64_t, double>> rates;
    size_t counted_bytes = 0;
  };

  void Recount(Life& life) REQUIRES(mutex_);
  void Shrink() REQUIRES(mutex_);

  const size_t bytes_max_;
  mutable Mutex mutex_;
  std::map<PartitionId, Life> lives_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::optional<int64_t> since_ GUARDED_BY(mutex_);
};

}  // namespace orrery::gateway
