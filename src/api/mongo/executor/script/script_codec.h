// Values on their way to JavaScript and back, as text that loses none of BSON's types.
//
//   value := null | true | false | string | number (a double) | [value, ...]
//          | {"o": [name, value, ...]}  object, fields in order
//          | {"i": int32} | {"d": text of a double that JSON cannot write} | {"l": text of an
//          int64} | {"n": text of a decimal} | {"t": milliseconds} | {"id": 24 hex digits} | {"b":
//          [subtype, base64]} | {"r": [pattern, flags]} | {"ts": [seconds, increment]} | {"min": 1}
//          | {"max": 1} | {"u": 1} undefined | {"c": code} | {"x": extended JSON}  whatever else:
//          scripts can only hand it on
#pragma once

#include <string>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

void AppendScriptValue(std::string& out, const model::Value& value);

// Reads a value that JSON text was parsed to. kJsInterpreterFailure for what is none.
Answer<model::Value> ReadScriptValue(const model::Value& parsed);

}  // namespace orrery::mongo
