// A HashRange is a contiguous, never empty piece of the 128-bit ring.
//
// Written half-open, [begin, end), as clients and keys have it; held with its last position
// inclusive, so that a range that reaches the top of the ring needs no special case anywhere and
// the whole ring is a range like any other. end() is empty exactly then.
//
// Invariant: begin() <= last(). Two ranges follow each other when a.end() == b.begin().
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hash128.h"

namespace orrery::partition {

class HashRange {
 public:
  // The whole ring.
  constexpr HashRange() = default;

  // REQUIRES: begin <= last.
  static constexpr HashRange Inclusive(Hash128 begin, Hash128 last) {
    ORRERY_CHECK(begin <= last);
    return HashRange(begin, last);
  }
  // [begin, end); without `end`, up to the top. nullopt when that is empty.
  static std::optional<HashRange> HalfOpen(Hash128 begin, std::optional<Hash128> end);

  constexpr Hash128 begin() const { return begin_; }
  constexpr Hash128 last() const { return last_; }
  constexpr bool reaches_top() const { return last_ == Hash128::Max(); }
  // The first position after the range; empty when it reaches the top.
  constexpr std::optional<Hash128> end() const {
    if (reaches_top()) return std::nullopt;
    return last_.Next();
  }

  constexpr bool Contains(Hash128 hash) const { return begin_ <= hash && hash <= last_; }
  constexpr bool Contains(const HashRange& other) const {
    return begin_ <= other.begin_ && other.last_ <= last_;
  }
  constexpr bool Overlaps(const HashRange& other) const {
    return begin_ <= other.last_ && other.begin_ <= last_;
  }
  // True when `next` begins where this range ends.
  constexpr bool Precedes(const HashRange& next) const {
    return !reaches_top() && last_.Next() == next.begin_;
  }
  std::optional<HashRange> Intersect(const HashRange& other) const;

  // Returns whether Midpoint and CutAt can divide the range.
  constexpr bool divisible() const { return begin_ < last_; }
  // The first position of the upper half. REQUIRES: divisible().
  Hash128 Midpoint() const;
  // [begin, cut) and [cut, end). REQUIRES: begin() < cut <= last().
  std::pair<HashRange, HashRange> CutAt(Hash128 cut) const;
  // Part of the ring, 0 to 1; for display and ranking.
  double RingFraction() const;

  // "[2000…, top)" with all 32 digits of each bound.
  std::string ToString() const;

  friend constexpr auto operator<=>(const HashRange&, const HashRange&) = default;

 private:
  constexpr HashRange(Hash128 begin, Hash128 last) : begin_(begin), last_(last) {}

  Hash128 begin_ = Hash128::Min();
  Hash128 last_ = Hash128::Max();
};

// More than any container will have at its birth; bounds what one request can ask for.
inline constexpr uint32_t kDivisionsMax = 1'000'000;

// `count` ranges that together cover the whole ring, with cuts that divide `used` evenly (sizes
// differ by at most one position). What lies below or above `used` falls to the first and the last.
// REQUIRES: 1 <= count <= kDivisionsMax, and `used` has at least `count` positions.
std::vector<HashRange> DivideEvenly(const HashRange& used, uint32_t count);

}  // namespace orrery::partition
