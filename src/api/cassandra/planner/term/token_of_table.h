// token() for one table.
#pragma once

#include "api/cassandra/function/function.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// Takes the columns of the partition key and gives the key's place on the ring, as rows are placed
// there (gateway/row/row_token.h).
FunctionPtr TokenOf(const Table& table);

}  // namespace orrery::cassandra
