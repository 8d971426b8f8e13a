// A LatencyHistogram counts latencies in a fixed small table: any percentile to better than 1 %.
//
// The table is log-linear: each power of two is cut into kSlotsPerOctave equal slots, so a slot is
// never wider than 1/128 of what it holds. Two histograms of the same run are merged by adding.
// Not thread-safe: one per thread, merged at the end.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace orrery::bench {

class LatencyHistogram {
 public:
  using Duration = std::chrono::nanoseconds;

  static constexpr size_t kSlotsPerOctave = 128;
  // About 18 minutes; what is longer is counted as this long (max() stays exact).
  static constexpr int kOctavesMax = 40;

  // Negative ones count as zero.
  void Record(Duration latency);
  void Merge(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  Duration max() const { return max_; }
  // The smallest latency that `share` (0 to 1) of the records do not exceed, rounded up to the end
  // of its slot but never beyond max(). Zero without records.
  Duration Percentile(double share) const;

 private:
  // Values below two octaves' worth of slots have a slot each; every later octave adds its slots.
  static constexpr int kLinearBits = 8;
  static constexpr size_t kSlots =
      (size_t{1} << kLinearBits) + (kOctavesMax - kLinearBits) * kSlotsPerOctave;

  static size_t SlotOf(uint64_t nanos);
  static uint64_t EndOf(size_t slot);

  std::array<uint64_t, kSlots> slots_{};
  uint64_t count_ = 0;
  Duration max_{0};
};

}  // namespace orrery::bench
