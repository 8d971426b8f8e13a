// The bytes that two values have in common if and only if the query language holds them equal:
// what DISTINCT, GROUP BY and the set functions look values up by.
//
// Numbers are equal as IEEE doubles (1 and 1.0, 0 and -0; here NaN equals itself), objects whatever
// the order of their fields. The bytes are for memory only: they are neither stored nor ordered.
//
//   identity := type:uint8 payload
//   number   := 8 bytes of the double, as the machine has them
//   string   := size:uint64 bytes
//   array    := count:uint64 identity*
//   object   := count:uint64 (string identity)*   ; by field name, undefined fields left out
//   foreign  := kind:uint8 string                 ; as JSON text
#pragma once

#include <string>

#include "model/value.h"

namespace orrery::model::sql {

std::string IdentityOf(const Value& value);
void AppendIdentity(std::string& out, const Value& value);

}  // namespace orrery::model::sql
