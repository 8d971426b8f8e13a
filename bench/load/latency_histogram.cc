#include "load/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery::bench {

size_t LatencyHistogram::SlotOf(uint64_t nanos) {
  const int octave = std::bit_width(nanos) - kLinearBits;
  if (octave <= 0) return nanos;
  const uint64_t within = (nanos >> octave) - kSlotsPerOctave;
  return (size_t{1} << kLinearBits) + static_cast<size_t>(octave - 1) * kSlotsPerOctave + within;
}

uint64_t LatencyHistogram::EndOf(size_t slot) {
  constexpr size_t kLinear = size_t{1} << kLinearBits;
  if (slot < kLinear) return slot;
  const size_t octave = (slot - kLinear) / kSlotsPerOctave + 1;
  const size_t within = (slot - kLinear) % kSlotsPerOctave + kSlotsPerOctave;
  return ((within + 1) << octave) - 1;
}

void LatencyHistogram::Record(Duration latency) {
  latency = std::max(latency, Duration(0));
  constexpr uint64_t kNanosMax = (uint64_t{1} << kOctavesMax) - 1;
  ++slots_[SlotOf(std::min(static_cast<uint64_t>(latency.count()), kNanosMax))];
  ++count_;
  max_ = std::max(max_, latency);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < kSlots; ++i) slots_[i] += other.slots_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

LatencyHistogram::Duration LatencyHistogram::Percentile(double share) const {
  if (count_ == 0) return Duration(0);
  const double exact = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const uint64_t wanted = std::max<uint64_t>(1, static_cast<uint64_t>(exact));
  uint64_t seen = 0;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    seen += slots_[slot];
    if (seen >= wanted) return std::min(Duration(EndOf(slot)), max_);
  }
  return max_;
}

}  // namespace orrery::bench
