#include "query/predicate/value_range.h"

namespace orrery::query {

bool ValueRange::is_one_value() const {
  return lower.has_value() && upper.has_value() && lower->inclusive && upper->inclusive &&
         lower->encoded == upper->encoded;
}

bool ValueRange::Contains(std::string_view encoded) const {
  const auto is_cut = [&](const item::ValueBound& bound) {
    return bound.encoded.size() > encoded.size() && bound.encoded.starts_with(encoded);
  };
  if (lower.has_value() && !is_cut(*lower)) {
    if (encoded < lower->encoded) return false;
    if (!lower->inclusive && encoded.starts_with(lower->encoded)) return false;
  }
  if (!upper.has_value() || is_cut(*upper) || encoded < upper->encoded) return true;
  return upper->inclusive && encoded.starts_with(upper->encoded);
}

}  // namespace orrery::query
