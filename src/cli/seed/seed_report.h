// A SeedReport gathers what a load has done and what it could not do, file by file and line by
// line.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace orrery::cli {

inline constexpr size_t kSeedErrorsShownMax = 20;

class SeedReport {
 public:
  // `progress` none: nothing is said of files that are done. `goes_on`: errors do not end the load.
  // `interrupted` (may be none) tells that the load is to end early.
  SeedReport(std::function<void(std::string_view line)> progress, bool goes_on,
             std::function<bool()> interrupted)
      : progress_(std::move(progress)), interrupted_(std::move(interrupted)), goes_on_(goes_on) {}

  // Takes note of what is wrong with `file` at `line` (0: with all of it).
  void Add(std::string_view file, size_t line, std::string_view what) EXCLUDES(mutex_);
  // Says what a file had: "orders.ndjson: 100,000 documents".
  void Done(std::string_view file, uint64_t count, std::string_view of) EXCLUDES(mutex_);

  // False once an error ends the load, or somebody interrupts it.
  bool goes_on() const EXCLUDES(mutex_);
  size_t error_count() const EXCLUDES(mutex_);
  uint64_t item_count() const EXCLUDES(mutex_);
  // All errors as lines, the first kSeedErrorsShownMax of them in full, in the order of file and
  // line.
  std::string ErrorText() const EXCLUDES(mutex_);

 private:
  struct Problem {
    std::string file;
    size_t line;
    std::string what;
    auto operator<=>(const Problem&) const = default;
  };

  const std::function<void(std::string_view line)> progress_;
  const std::function<bool()> interrupted_;
  const bool goes_on_;
  mutable Mutex mutex_;
  std::vector<Problem> problems_ GUARDED_BY(mutex_);
  size_t problem_count_ GUARDED_BY(mutex_) = 0;
  uint64_t item_count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::cli
