// The four relations between values that TinkerPop tells apart.
//
//   equality       eq, within, has(key, value)    numbers by value: 1 == 1.0; NaN equals nothing
//   comparability  lt, gt, between                 within one family of types; else no answer
//   orderability   order()                         total over all values
//   equivalence    dedup(), keys of maps           no promotion: 1 and 1.0 differ; NaN is NaN
//
// Pure.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

bool Equals(const Value& a, const Value& b);
// Nullopt if the two cannot be compared.
std::optional<std::weak_ordering> Compare(const Value& a, const Value& b);
std::weak_ordering Order(const Value& a, const Value& b);
bool Equivalent(const Value& a, const Value& b);
// Equal for equivalent values.
size_t Hash(const Value& value);

struct ValueHash {
  size_t operator()(const Value& value) const { return Hash(value); }
};
struct ValueEquivalent {
  bool operator()(const Value& a, const Value& b) const { return Equivalent(a, b); }
};

}  // namespace orrery::gremlin
