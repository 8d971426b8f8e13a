// Chooses which writes of rows record the size of their logical partition, and what they record.
//
// Rows are written without reading, but a size cannot be: it is read, added to and written again.
// In a container that is not small, one write of several does it for all of them: a write of `b`
// bytes is taken with the probability b / grain, and counts for `grain`. What is recorded is then
// right on average, and wrong by few per mille of a partition that is large enough to matter.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "item/layout/entry_codec.h"

namespace orrery::item {

inline constexpr uint64_t kSampleGrainMax = 64 << 10;
// A grain is at most so small a part of what the container has here, so that the sizes of a small
// one are exact, and of the limit.
inline constexpr uint64_t kSampleContainerShare = 256;
inline constexpr uint64_t kSampleLimitShare = 1'024;

// `bytes_max`: of a logical partition; 0: no limit.
uint64_t SampleGrain(uint64_t container_bytes, uint64_t bytes_max);

// Returns the recorded size of a change at a position; zero for most changes smaller than the
// grain. Deterministic.
Totals SampleOf(const Totals& change, uint64_t grain, Lsn lsn);

}  // namespace orrery::item
