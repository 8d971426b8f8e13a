// CQL values as JavaScript functions get and give them. docs/compatibility/cassandra.md has the
// table.
//
//   tinyint to bigint, counter, varint    Number up to 2^53 - 1, beyond that BigInt
//   float, double                         Number
//   decimal                               String of its exact digits
//   text, ascii, boolean, blob            String, Boolean, Uint8Array
//   timestamp                             Date
//   date, time, duration, inet, uuids     String, as CQL shows it
//   list, vector, tuple                   Array; null components are null
//   set, map                              Set, Map
//   user-defined types                    an object with all fields
//
// The result may be any of the forms that mean a value of the type: numbers as Number, BigInt or
// digits, a moment as Date, milliseconds or text, sets as arrays, maps as objects. Fractions are
// cut off where whole numbers are wanted; a value that does not fit is an error, never another
// value.
//
// Pure. Depth is bounded by that of types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::cassandra {

// The empty value of a type that is neither text nor blob is null. kInvalidArgument when the bytes
// are not valid.
Result<model::Value> ToScriptValue(const Type& type, std::string_view bytes);

// nullopt for null and undefined. kInvalidArgument says what was expected and what came.
Result<std::optional<std::string>> FromScriptValue(const Type& type, const model::Value& value);

}  // namespace orrery::cassandra
