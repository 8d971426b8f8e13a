// A SpillSpace is where queries put rows that memory does not hold: files in one directory, of
// bounded size altogether.
//
// A file has no name once it is open, so nothing of it is left when its query ends or the process
// dies; what a crash left in between is removed by Open. Thread-safe; a SpillFile is for one thread
// at a time, and must not outlive its space.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::query {

class SpillSpace;

// A SpillFile is a list of records: all are appended, then all are read in that order.
class SpillFile {
 public:
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // kResourceExhausted when the space is full, kUnavailable.
  Status Append(std::string_view record);
  // Ends the appending and goes to the first record.
  Status Rewind();
  // Reads the next record; false at the end. REQUIRES: Rewind was called.
  Result<bool> Next(std::string& record);

 private:
  friend class SpillSpace;
  SpillFile(SpillSpace& space, int descriptor) : space_(space), descriptor_(descriptor) {}
  Status Flush();

  SpillSpace& space_;
  const int descriptor_;
  uint64_t bytes_ = 0;      // in the file
  uint64_t read_ = 0;       // of them
  std::string buffer_;      // to be written, or read and not given yet
  size_t buffer_next_ = 0;  // while reading
};

class SpillSpace {
 public:
  static constexpr uint64_t kBytesMax = uint64_t{64} << 30;

  // Makes the directory if it is missing, and removes what is left in it.
  static Result<std::unique_ptr<SpillSpace>> Open(std::string directory,
                                                  uint64_t bytes_max = kBytesMax);

  Result<std::unique_ptr<SpillFile>> Create();
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  friend class SpillFile;
  SpillSpace(std::string directory, uint64_t bytes_max)
      : directory_(std::move(directory)), bytes_max_(bytes_max) {}
  Status Take(uint64_t bytes);

  const std::string directory_;
  const uint64_t bytes_max_;
  std::atomic<uint64_t> bytes_{0};
};

}  // namespace orrery::query
