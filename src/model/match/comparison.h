// The comparisons of a value with a constant.
#pragma once

#include <compare>
#include <cstdint>

namespace orrery::model {

enum class Comparison : uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// Returns whether the comparison is true of two values in that order.
inline bool Holds(Comparison comparison, std::partial_ordering order) {
  switch (comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

}  // namespace orrery::model
