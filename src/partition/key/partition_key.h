// Returns the position of a partition key on the ring, for each of the hash functions that
// containers use.
//
//   kCassandra  token with its sign bit flipped : 64, second half of the hash : 64
//   kV1         32-bit hash : 32, first bytes of the EPK's value : 96
//   kV2         the EPK : 128
//   kMultiHash  first component's EPK : 64, second's : 32, third's : 32 (most significant bits;
//               of the second and third without the two bits that are always zero)
//
// Ring order is token order and EPK order, so that a range of partitions here is a range of tokens
// or EPKs to a client. kMultiHash keeps 64 of the first component's 128 bits: all keys of a prefix
// are one contiguous range, and a cut may fall inside it, so one large tenant can be split. Two
// first components that agree in those bits share a range; that changes the order in which SDKs
// would list them, never where the server finds them. Readers of a prefix compare the key itself.
//
// Pure. docs/format/hashing.md states the reasons and has worked examples.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/hash128.h"
#include "base/status.h"
#include "model/value.h"
#include "partition/map/hash_range.h"

namespace orrery::partition {

// Stored in the catalog: never renumber one, only add.
enum class KeyHashing : uint8_t {
  kCassandra = 0,
  kV1 = 1,
  kV2 = 2,
  kMultiHash = 3,
};

inline constexpr size_t kMultiHashPathsMax = 3;

// The ring position of a whole key. kInvalidArgument when the key has no component, more than three
// under kMultiHash, or a value that the hashing has no form for.
Result<Hash128> HashOf(KeyHashing hashing, std::span<const model::Value> key);

// All positions of keys that begin with `prefix`: under kMultiHash a range that the keys of a
// colliding prefix may share, otherwise the one position of the whole key. Errors as HashOf.
Result<HashRange> RangeOfPrefix(KeyHashing hashing, std::span<const model::Value> prefix);

// The key's EPK as SDKs write it, upper-case hex. kUnsupported under kCassandra, which has tokens
// instead (cassandra_key.h); other errors as HashOf.
Result<std::string> EffectivePartitionKey(KeyHashing hashing, std::span<const model::Value> key);

// The EPK of a cut inside the first level of the hierarchical `key`, which is the first stored one
// at or above the cut, or any of the level when all are below it. Of the keys of that level exactly
// the stored ones at or above the cut have an EPK at or above this one; so do keys to come, but for
// those whose second level agrees in 32 hashed bits with the key's.
// REQUIRES: HashOf(kMultiHash, key).high == cut.high.
std::string EpkOfCut(Hash128 cut, std::span<const model::Value> key);

// The part of the ring on which keys can fall at all: what is to be divided evenly.
HashRange UsedSpan(KeyHashing hashing);

// A range's boundary as an EPK: "" for the ring's first position, "FF" for the top (an absent end).
// A key's EPK is at or above it exactly when the key's position is. There are two exceptions. Under
// kMultiHash a cut inside one first-level prefix is known by the EPK that it was cut at
// (EpkOfCut), which the partition map keeps beside the range; this function then gives the prefix's
// lower bound. Under kCassandra, where no SDK hashes, the position shifted right by two stands in,
// so that it sorts below "FF".
std::string EpkHex(KeyHashing hashing, std::optional<Hash128> boundary);

}  // namespace orrery::partition
