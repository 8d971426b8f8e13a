// CQL values as model values, so that key columns can be put into ordered keys.
//
// model::AppendKey(ToKeyValue(type, a), Order::kCql) sorts as compare.h does. Values that compare
// as equal share one key, so what comes back from it is their normal form: decimals without
// trailing zeros, varints without leading bytes, one NaN, 1 for every true, tuples and UDTs with
// all their components. Everything else comes back byte for byte.
//
//   empty value (of a type other than text, ascii, blob)   undefined: sorts first
//   null component of a tuple or UDT                       min key: sorts before the empty value
//   nulls at the end of a tuple or UDT                     left out: they equal missing ones
//   tuple, UDT, vector, list                               array
//   duration                                               binary of its bytes, which it sorts by
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::cassandra {

// kInvalidArgument when the bytes are not valid, or are a decimal or varint too large for a key.
Result<model::Value> ToKeyValue(const Type& type, std::string_view bytes);

// The reverse. kCorruption when `value` is none that ToKeyValue makes for the type.
Result<std::string> FromKeyValue(const Type& type, const model::Value& value);

}  // namespace orrery::cassandra
