// Encodes tuples of values into byte strings whose memcmp order is the tuple order.
// Every value inside a stored key is written and read by this file.
//
//   key        := component*
//   component  := class:uint8 body             ; descending: every byte complemented
//   class      := TypeClass                    ; type_class.h has the numbers
//   body       := by class:
//     min_key, undefined, null, max_key        nothing
//     bool, mongo_bool                         00 | 01
//     double_number, double, float             IEEE bits, big-endian; negative: complemented,
//                                              else sign bit flipped
//     exact_number, decimal128                 sign, exponent, mantissa (exact_number.h)
//     int8 .. int64, date_time, time           big-endian, sign bit flipped
//     varint                                   00|01 (negative or not), length:uint32
//                                              (complemented when negative), shortest bytes
//     decimal                                  00|01|02 (negative, zero, positive), exponent:int64
//                                              sign flipped, digit pairs + 1, then 00
//                                              (complemented after the first byte when negative)
//     string, ascii, java_script, blob, inet   text
//     regex                                    text text         ; pattern, options
//     java_script_with_scope                   text fields
//     array, mongo_array, set                  component* 00
//     map                                      (component component)* 00
//     object                                   fields
//     binary                                   length:uint32 subtype:uint8 bytes
//     uuid                                     version:uint8, then 16 bytes (time first for v1)
//     time_uuid                                time:uint64, 8 bytes each with its sign bit flipped
//     object_id                                12 bytes
//     timestamp                                seconds:uint32 increment:uint32
//     db_pointer                               length:uint32 collection, 12 bytes
//     date                                     uint32
//     duration                                 months:int32 days:int32 ns:int64, signs flipped
//   text       := bytes with 00 escaped as 00 FF, then 00 01
//   fields     := (class:uint8 name:text body)* 00   ; types sort before names, as BSON has it
//
// Two values that Compare as equivalent have the same bytes; so a number read back under kSql or
// kMongo may have another kind than the one written (1, 1.0 and NumberDecimal("1.0") all read as
// the int32 1 under kMongo, as the double 1 under kSql), and always compares equal to it. No
// component is a prefix of another, so tuples compare component by component.
//
// Tags are stored: never renumber one, only add. docs/format/keys.md has a worked example.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "model/compare.h"
#include "model/value.h"

namespace orrery::model {

enum class Direction : uint8_t { kAscending, kDescending };

// Arrays and objects inside each other. More than documents and expressions can build together.
inline constexpr int kKeyDepthMax = 256;

// Appends one component. REQUIRES: `value` is nested at most kKeyDepthMax deep, and each string in
// it is shorter than 4 GiB. A limit on the key's size is the caller's business.
void AppendKey(std::string& out, const Value& value, Order order,
               Direction direction = Direction::kAscending);

// Reads one component and moves `reader` past it. Components say themselves which class they are
// of, so the order they were written under need not be known. kCorruption, with `reader` where it
// was, when the bytes are none that AppendKey writes.
Result<Value> ReadKey(ByteReader& reader, Direction direction = Direction::kAscending);

// All ascending.
std::string EncodeKey(std::span<const Value> values, Order order);
// The whole of `bytes` as ascending components; none for no bytes.
Result<Values> DecodeKey(std::string_view bytes);

}  // namespace orrery::model
