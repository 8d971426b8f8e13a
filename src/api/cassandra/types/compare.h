// Compares two values of one type, exactly as Cassandra's comparators do.
//
// The empty value sorts before all others. Numbers, booleans and timestamps by what they mean, NaN
// highest and -0.0 below 0.0, decimals regardless of their scale; uuids by version, then time or
// bytes; timeuuids by time, then signed bytes; text, blob, date, time, inet and duration by their
// bytes. Lists, sets, maps and vectors element by element, then the shorter first; tuples and UDTs
// component by component, null first, missing ones being null.
//
// key_value.h makes keys whose bytes have this same order.
#pragma once

#include <compare>
#include <string_view>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// Bytes that Validate would refuse have some place too; comparing them is harmless.
std::weak_ordering Compare(const Type& type, std::string_view a, std::string_view b);

inline bool Equal(const Type& type, std::string_view a, std::string_view b) {
  return Compare(type, a, b) == 0;
}

}  // namespace orrery::cassandra
