// What a query asks, as one number: a continuation of one query does not answer another.
#pragma once

#include <cstdint>

#include "api/sql/query/query_request.h"

namespace orrery::sql {

// Of its text, parameters, container and scope. How many rows a page may have is no part of it.
uint64_t HashOf(const QueryRequest& request);

}  // namespace orrery::sql
