// An ExternalSort orders records by the bytes of their keys, whatever their number: beyond its
// memory it writes sorted runs to a SpillSpace and merges them.
//
// Records of equal keys come in the order in which they were added. For one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/operator/spill_space.h"

namespace orrery::query {

class ExternalSort {
 public:
  // Runs that are merged at once.
  static constexpr size_t kRunsMax = 64;

  // `space` must outlive it.
  ExternalSort(SpillSpace& space, size_t memory_bytes_max)
      : space_(space), memory_bytes_max_(memory_bytes_max) {}

  // REQUIRES: Finish was not called. kResourceExhausted, kUnavailable.
  Status Add(std::string_view key, std::string_view value);
  // Ends the adding.
  Status Finish();
  // The value of the next record; false at the end. REQUIRES: Finish was called.
  Result<bool> Next(std::string& value);

  size_t runs() const { return runs_.size(); }

 private:
  struct Record {
    std::string key;  // and the number of the record, for ties
    std::string value;
  };
  struct Run {
    std::unique_ptr<SpillFile> file;
    Record head;
  };

  Status Spill();
  Status MergeRuns();
  // Reads the next record of a run into its head; false at the end.
  static Result<bool> Advance(Run& run);
  // The run with the smallest head, the last of the heap.
  Result<bool> Pop(Record& record);
  Status Begin();

  SpillSpace& space_;
  const size_t memory_bytes_max_;
  std::vector<Record> records_;
  size_t bytes_ = 0;
  uint64_t added_ = 0;
  size_t next_ = 0;  // of the records, when nothing was spilled
  std::vector<Run> runs_;
  std::vector<size_t> heap_;  // of runs that have a head
};

}  // namespace orrery::query
