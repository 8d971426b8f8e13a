#include "query/predicate/predicate.h"

namespace orrery::query {

std::optional<Predicate> Intersect(const Predicate& a, const Predicate& b) {
  if (a.path != b.path || a.path.has_elements() || a.rules == MatchRules::kMongo)
    return std::nullopt;
  if (a.ranges.size() != 1 || b.ranges.size() != 1) return std::nullopt;
  Predicate both = a.equal.has_value() ? a : b;
  if (both.equal.has_value()) return both;
  ValueRange& range = both.ranges.front();
  const ValueRange& other = a.ranges.front();
  const auto is_narrower = [](const item::ValueBound& x, const item::ValueBound& y, bool is_lower) {
    if (x.encoded == y.encoded) return !x.inclusive && y.inclusive;
    return (x.encoded > y.encoded) == is_lower;
  };
  if (other.lower.has_value() &&
      (!range.lower.has_value() || is_narrower(*other.lower, *range.lower, true)))
    range.lower = other.lower;
  if (other.upper.has_value() &&
      (!range.upper.has_value() || is_narrower(*other.upper, *range.upper, false)))
    range.upper = other.upper;
  return both;
}

}  // namespace orrery::query
