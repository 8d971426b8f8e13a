// The options `speculative_retry` and `additional_write_policy`, in the one form in which Cassandra
// keeps them: "99p", "50ms", "MIN(99p,50ms)", "ALWAYS", "NEVER".
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

CqlResult<std::string> CheckRetryPolicy(const std::string& given);

}  // namespace orrery::cassandra
