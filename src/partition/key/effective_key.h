// Cosmos DB's effective partition keys (EPK): the bytes that its SDKs compute on the client to find
// a key's range. What is computed here must agree with them digit by digit.
//
//   V2 epk    := 16 bytes                        ; MurmurHash3 x64 128 of `input`, h2 h1
//   big-endian,
//                                                ; the two top bits cleared
//   input     := component+                      ; one per key path
//   component := 00                              ; undefined
//              | 01                              ; null
//              | 02 | 03                         ; false, true
//              | 05 double:uint64                ; little-endian; any number, as the nearest double
//              | 08 utf8* FF                     ; string
//              | FE key                          ; any other value (Mongo): model/key/key_codec.h,
//              kMongo
//
//   V1 epk    := number value                    ; number: MurmurHash3 x86 32 of `short`
//   short     := as component, but a string is cut to 100 UTF-16 units and ends in 00
//   value     := 00 | 01 | 02 | 03 | number | 08 (byte + 1, FF stays)* 00
//   number    := 05 first:uint8 group+           ; the double's order-preserving bits: 8, then
//   sevens group     := 7 bits << 1 | more              ; ends after the last bit that is set
//
//   MultiHash := V2 epk of each component alone, joined; one to three
//
// -0 counts as 0 and every NaN as one, because equal keys must have equal hashes.
// Pure. docs/format/hashing.md has worked examples.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/hash128.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::partition {

// REQUIRES: values nested at most model::kKeyDepthMax deep.
Hash128 HashV2(std::span<const model::Value> key);

struct ShortHashedKey {
  uint32_t hash = 0;
  std::string value;  // the `value` of the grammar
};
// kInvalidArgument for values that V1 has no form for: only strings, numbers, booleans, null and
// undefined can be keys.
Result<ShortHashedKey> HashV1(const model::Value& key);

// The `number` of the grammar: byte order is number order.
void AppendEpkNumber(std::string& out, double number);

}  // namespace orrery::partition
