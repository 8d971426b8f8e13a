// A Collator orders strings as a collation says, instead of by their bytes.
//
// Immutable and thread-safe.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "model/text/text_collator.h"
#include "model/value.h"

namespace orrery::mongo {

class Collator {
 public:
  virtual ~Collator() = default;
  // Bytes whose order is the order of the strings; equal strings have equal keys.
  virtual std::string Key(std::string_view text) const = 0;
  // The rules that it follows, if they can be said: indexes by the same rules have the same keys.
  virtual std::optional<model::CollationRules> rules() const { return std::nullopt; }
};

// BSON's order of values; strings by the collator if there is one.
std::weak_ordering CompareValues(const model::Value& a, const model::Value& b,
                                 const Collator* collator);

inline bool EqualValues(const model::Value& a, const model::Value& b, const Collator* collator) {
  return CompareValues(a, b, collator) == 0;
}

// `value` with every string replaced by its key, for hash tables and encoded keys: two values are
// equal under the collator exactly when their collated forms are equal without one.
model::Value Collated(const model::Value& value, const Collator& collator);

}  // namespace orrery::mongo
