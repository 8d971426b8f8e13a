// Types of system tables' columns, by their CQL text.
#pragma once

#include <string_view>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// "text", "set<inet>", "frozen<map<text, blob>>".
// REQUIRES: a valid type made of native types, collections and tuples.
TypePtr ColumnType(std::string_view text);

}  // namespace orrery::cassandra
