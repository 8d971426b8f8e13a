// Query plans: how a client executes a query itself, partition by partition, and merges the rows.
//
// The document that SDKs ask for before a query over several partitions, and that old ones find in
// the additionalErrorInfo of a refusal. Which properties it has and what they mean is the clients'
// to say; the query that it has rewritten comes back to Run, once for each partition.
//
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/query/bind/query_binder.h"
#include "gateway/requests.h"

namespace orrery::sql {

// As JSON. kUnsupported when only the server can execute the query: values of several aggregates,
// aggregates or orders over subqueries. REQUIRES: `text` was parsed and bound in `context`.
Result<std::string> MakeQueryPlan(std::string_view text, const BoundQuery& bound,
                                  const QueryBindContext& context,
                                  const item::ContainerSchema& schema);

}  // namespace orrery::sql
