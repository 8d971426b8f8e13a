// A SeededRandom is a RandomSource of its own for one command: the same seed gives the same
// numbers.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "api/mongo/language/query_context.h"

namespace orrery::mongo {

class SeededRandom final : public RandomSource {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}

  double Next() override {
    // SplitMix64: its counter may be shared, its numbers are made of the counter's values.
    constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
    uint64_t bits = state_.fetch_add(kStep, std::memory_order_relaxed) + kStep;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

 private:
  std::atomic<uint64_t> state_;
};

}  // namespace orrery::mongo
