// A PeriodMeter folds amounts into consecutive periods of time, such as seconds or hours, and knows
// the current one and the one before it.
//
// Thread-safe and lock-free. A late thread whose `now` lies in a period that is already over counts
// into the newer one; while a period turns, a reader may see zero for the one just closed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace orrery::partition {

enum class Fold { kSum, kHighest };

class PeriodMeter {
 public:
  PeriodMeter(Micros period, Fold fold) : period_(period), fold_(fold) {}

  // Adds to the period of `now` and returns what that period holds then.
  int64_t Add(int64_t amount, Micros now) {
    const uint32_t index = IndexOf(now);
    uint64_t before = current_.load(std::memory_order_relaxed);
    while (true) {
      const Cell cell = Unpack(before);
      const bool later = IsAfter(index, cell.index);
      const Cell next = later ? Cell{index, Clamp(amount)} : Cell{cell.index, Folded(cell, amount)};
      const uint64_t after = Pack(next);
      if (after == before) return cell.amount;
      if (!current_.compare_exchange_weak(before, after, std::memory_order_relaxed)) continue;
      if (later) previous_.store(before, std::memory_order_relaxed);
      return next.amount;
    }
  }

  // Returns the amount in the period of `now` so far.
  int64_t Current(Micros now) const { return AmountOf(IndexOf(now)); }
  // Returns the amount of the whole period before it.
  int64_t LastFull(Micros now) const { return AmountOf(IndexOf(now) - 1); }

 private:
  // One word: the period's number modulo 2^32, and an amount that stops at the ends of int32.
  struct Cell {
    uint32_t index;
    int32_t amount;
  };
  static uint64_t Pack(Cell cell) {
    return uint64_t{cell.index} << 32 | static_cast<uint32_t>(cell.amount);
  }
  static Cell Unpack(uint64_t word) {
    return {static_cast<uint32_t>(word >> 32), static_cast<int32_t>(static_cast<uint32_t>(word))};
  }
  static int32_t Clamp(int64_t amount) {
    return static_cast<int32_t>(std::clamp<int64_t>(amount, INT32_MIN, INT32_MAX));
  }
  static bool IsAfter(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) > 0; }

  uint32_t IndexOf(Micros now) const { return static_cast<uint32_t>(now / period_); }
  int32_t Folded(Cell cell, int64_t amount) const {
    return fold_ == Fold::kSum ? Clamp(cell.amount + amount) : std::max(cell.amount, Clamp(amount));
  }
  int64_t AmountOf(uint32_t index) const {
    for (const auto* word : {&current_, &previous_}) {
      const Cell cell = Unpack(word->load(std::memory_order_relaxed));
      if (cell.index == index) return cell.amount;
    }
    return 0;
  }

  const Micros period_;
  const Fold fold_;
  std::atomic<uint64_t> current_{0};
  std::atomic<uint64_t> previous_{0};
};

}  // namespace orrery::partition
