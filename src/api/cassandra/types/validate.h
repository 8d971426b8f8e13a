// Validates the bytes of a value of a type: every value from a client goes through this first.
//
// Rules and messages are those of Cassandra 4.1 (vectors: 5.0), with three that it leaves open
// closed: text must be well-formed UTF-8, a time must lie within its day, and a duration must have
// nothing after it.
#pragma once

#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

// kInvalidArgument says what is wrong ("Expected 4 or 0 byte int (8)").
Status Validate(const Type& type, std::string_view bytes);

// Returns whether zero bytes are a value of the type. For text, ascii and blob it is an ordinary
// one; for the others it is the "empty" value that Cassandra keeps from its Thrift days: it sorts
// first and stands for nothing. tinyint, smallint, date, time, duration, lists and vectors have
// none.
bool AllowsEmpty(const Type& type);

// Returns whether zero bytes are an ordinary value, rather than one that stands for nothing. Of
// collections, tuples and user types they stand for nothing too.
bool HasOrdinaryEmpty(const Type& type);

}  // namespace orrery::cassandra
