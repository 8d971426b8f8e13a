#include "partition/map/hash_range.h"

#include <fmt/core.h>

#include <algorithm>

namespace orrery::partition {
namespace {

__extension__ typedef unsigned __int128 Number;

Number ToNumber(Hash128 hash) { return Number{hash.high} << 64 | hash.low; }
Hash128 ToHash(Number number) {
  return {static_cast<uint64_t>(number >> 64), static_cast<uint64_t>(number)};
}

}  // namespace

std::optional<HashRange> HashRange::HalfOpen(Hash128 begin, std::optional<Hash128> end) {
  if (!end.has_value()) return HashRange(begin, Hash128::Max());
  if (*end <= begin) return std::nullopt;
  return HashRange(begin, ToHash(ToNumber(*end) - 1));
}

std::optional<HashRange> HashRange::Intersect(const HashRange& other) const {
  if (!Overlaps(other)) return std::nullopt;
  return HashRange(std::max(begin_, other.begin_), std::min(last_, other.last_));
}

Hash128 HashRange::Midpoint() const {
  ORRERY_CHECK(divisible());
  // Half of (last - begin + 1), rounded down, without overflowing for the whole ring.
  const Number reach = ToNumber(last_) - ToNumber(begin_);
  return ToHash(ToNumber(begin_) + reach / 2 + reach % 2);
}

std::pair<HashRange, HashRange> HashRange::CutAt(Hash128 cut) const {
  ORRERY_CHECK(begin_ < cut && cut <= last_);
  return {HashRange(begin_, ToHash(ToNumber(cut) - 1)), HashRange(cut, last_)};
}

double HashRange::RingFraction() const {
  constexpr double kRing = 0x1p128;
  return (static_cast<double>(ToNumber(last_) - ToNumber(begin_)) + 1) / kRing;
}

std::string HashRange::ToString() const {
  return fmt::format("[{}, {})", begin_.ToString(), reaches_top() ? "top" : end()->ToString());
}

std::vector<HashRange> DivideEvenly(const HashRange& used, uint32_t count) {
  ORRERY_CHECK(count >= 1 && count <= kDivisionsMax);
  // The number of positions is reach + 1, which does not fit 128 bits for the whole ring, so the
  // one is carried through the division by hand.
  const Number reach = ToNumber(used.last()) - ToNumber(used.begin());
  ORRERY_CHECK(reach >= Number{count} - 1);
  const bool even = reach % count == count - 1;
  const Number quotient = reach / count + (even ? 1 : 0);
  const Number remainder = even ? 0 : reach % count + 1;

  std::vector<HashRange> ranges;
  ranges.reserve(count);
  HashRange rest;
  for (uint32_t i = 1; i < count; ++i) {
    const Hash128 cut = ToHash(ToNumber(used.begin()) + quotient * i + remainder * i / count);
    auto [lower, upper] = rest.CutAt(cut);
    ranges.push_back(lower);
    rest = upper;
  }
  ranges.push_back(rest);
  return ranges;
}

}  // namespace orrery::partition
