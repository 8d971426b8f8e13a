// A ValueRange is an interval of encoded index values (model/key/key_codec.h). A value;
// thread-safe.
#pragma once

#include <optional>
#include <string_view>

#include "gateway/requests.h"

namespace orrery::query {

struct ValueRange {
  std::optional<item::ValueBound> lower;
  std::optional<item::ValueBound> upper;

  bool is_one_value() const;
  // Returns whether an index returns `encoded` for the range. A bound that `encoded` begins with is
  // equal to it; so is one that `encoded` is the beginning of, as values in an index may be cut.
  bool Contains(std::string_view encoded) const;
};

}  // namespace orrery::query
