#include "item/row/size_sample.h"

#include <algorithm>

namespace orrery::item {
namespace {

// Spreads neighbouring positions over all numbers (the finalizer of SplitMix64).
uint64_t Scatter(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

uint64_t SampleGrain(uint64_t container_bytes, uint64_t bytes_max) {
  const uint64_t grain = std::min(kSampleGrainMax, container_bytes / kSampleContainerShare);
  return bytes_max == 0 ? grain : std::min(grain, bytes_max / kSampleLimitShare);
}

Totals SampleOf(const Totals& change, uint64_t grain, Lsn lsn) {
  if (change.bytes <= 0 || static_cast<uint64_t>(change.bytes) >= grain) return change;
  const auto bytes = static_cast<uint64_t>(change.bytes);
  if (Scatter(lsn.value()) % grain >= bytes) return {};
  const auto times = static_cast<double>(grain) / static_cast<double>(bytes);
  return {static_cast<int64_t>(grain),
          static_cast<int64_t>(static_cast<double>(change.items) * times + 0.5)};
}

}  // namespace orrery::item
