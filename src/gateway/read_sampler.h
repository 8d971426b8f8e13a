// A ReadSampler chooses the reads that are noted for the hottest keys: reads are many and cheap, so
// that one in kReadsPerNote is noted, with their weight.
//
// For one thread: use a thread_local one.
#pragma once

#include <cstdint>

namespace orrery::gateway {

inline constexpr uint32_t kReadsPerNote = 16;

class ReadSampler {
 public:
  bool NoteThisRead() { return reads_++ % kReadsPerNote == 0; }

 private:
  uint32_t reads_ = 0;
};

}  // namespace orrery::gateway
