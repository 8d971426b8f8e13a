// QueryHash is a hash of what a query asks: a continuation of one query does not answer another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/sql/query/query_request.h"

namespace orrery::sql {

// Of `text`, which stands for what the query says, and of its parameters, container and partition
// key. How many rows a page may have is no part of it, nor is the part of the ring.
uint64_t HashOf(const QueryRequest& request, std::string_view text);
// The same, as if no partition key were asked for.
uint64_t HashOfAnyKey(const QueryRequest& request, std::string_view text);
// And of the part of the ring.
uint64_t HashWithRange(const QueryRequest& request, std::string_view text);
// All that a request asks, but for which page of it: requests that have the same get the same rows.
std::string IdentityOf(const QueryRequest& request);

}  // namespace orrery::sql
