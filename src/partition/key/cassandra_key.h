// Cassandra's partition keys: the bytes that its partitioner hashes, and its tokens on the ring.
//
//   key       := bytes                           ; one column: the value as CQL sends it
//              | (length:uint16 bytes 00)+       ; several columns
//
// A ring position holds the token in its upper 64 bits with the sign bit flipped, so that ring
// order is token order, and the second half of the 128-bit hash below it: the ring that clients
// see, -2^63 .. 2^63-1, is the outer face of the larger one inside.
//
// Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash128.h"
#include "base/status.h"
#include "model/value.h"
#include "partition/map/hash_range.h"

namespace orrery::partition {

// Each value in the CQL encoding that its kind has. kInvalidArgument for null, for durations and
// for a component beyond 65,535 bytes; kUnsupported for collections and tuples, whose encoding
// depends on the column's type: the caller joins the bytes itself.
Result<std::string> SerializeCassandraKey(std::span<const model::Value> key);
// The same for components that are serialized already.
Result<std::string> JoinCassandraKey(std::span<const std::string_view> components);

// Returns the position of a serialized key on the ring. Its token is Apache Cassandra's own for the
// same bytes.
Hash128 CassandraPosition(std::string_view serialized_key);

constexpr uint64_t kTokenSignBit = uint64_t{1} << 63;
constexpr int64_t CassandraToken(Hash128 position) {
  return static_cast<int64_t>(position.high ^ kTokenSignBit);
}
// All positions that have this token.
constexpr HashRange RangeOfToken(int64_t token) {
  const uint64_t high = static_cast<uint64_t>(token) ^ kTokenSignBit;
  return HashRange::Inclusive({high, 0}, {high, UINT64_MAX});
}

}  // namespace orrery::partition
