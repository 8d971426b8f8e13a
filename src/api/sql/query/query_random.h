// QueryRandom is the source of RAND while one query runs: numbers that are evenly spread, not
// secret.
#pragma once

#include <cstdint>

#include "api/sql/function/function.h"
#include "base/clock.h"

namespace orrery::sql {

// The generator SplitMix64. Not thread-safe.
class QueryRandom final : public RandomSource {
 public:
  explicit QueryRandom(Micros seed) : state_(static_cast<uint64_t>(seed.count())) {}

  double Next() override {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    constexpr int kUnusedBits = 64 - 53;  // a double has 53
    return static_cast<double>(z >> kUnusedBits) * 0x1p-53;
  }

 private:
  uint64_t state_;
};

}  // namespace orrery::sql
