// Compares values by each API's own rules: one total order per API over all values.
//
// kSql    undefined < null < false < true < number < string < array < object. All numbers compare
//         as IEEE doubles, -0 equals 0, NaN is the lowest; strings by their UTF-8 bytes.
// kMongo  BSON comparison order. int32, int64, double and decimal128 compare exactly, NaN lowest;
//         symbols as strings; binary by length, then subtype, then bytes. Undefined sorts before
//         null. A UUID is a binary of subtype 4.
// kCql    as Cassandra's types compare: UUIDs by version, then time (version 1) or bytes;
//         timeuuids by time, then signed bytes; -0.0 < 0.0 and NaN highest; blobs and strings by
//         unsigned bytes; decimals by their number (1.0 equals 1.00); null and undefined first.
//
// Arrays, sets and maps compare element by element, then the shorter first. Objects compare field
// by field, each by its type, then its name, then its value, then the shorter first. Kinds that an
// API does not know have a fixed place too (type_class.h), so that a container written through one
// API stays ordered when read through another.
#pragma once

#include <compare>
#include <cstdint>

#include "model/value.h"

namespace orrery::model {

enum class Order : uint8_t { kSql, kMongo, kCql };

std::weak_ordering Compare(const Value& a, const Value& b, Order order);

inline bool Equivalent(const Value& a, const Value& b, Order order) {
  return Compare(a, b, order) == 0;
}

}  // namespace orrery::model
