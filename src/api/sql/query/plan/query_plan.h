// Query plans: how a client executes a query itself, partition by partition, and merges the rows.
//
// The document that SDKs ask for before a query over several partitions, and that old ones find in
// the additionalErrorInfo of an error response. Which properties it has and what they mean is the
// clients' to say; the query that it has rewritten comes back to Run, once for each partition.
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/sql/query/bind/query_binder.h"
#include "gateway/requests.h"

namespace orrery::sql {

// The features of plans that the client understands, beyond what all do.
struct PlanFeatures {
  bool count_distinct = false;  // "DCount"
  bool hybrid_search = false;   // "HybridSearch"
  // Those that name what they understand and leave these out would merge rows wrongly.
  bool groups = true;              // "GroupBy"
  bool several_aggregates = true;  // "MultipleAggregates"
  bool named_aggregates = true;    // "NonValueAggregate": aggregates without VALUE
  bool lists = true;               // "ListAndSetAggregate"
  bool aggregates = true;          // "Aggregate"
  bool distinct = true;            // "Distinct"
  bool order = true;               // "OrderBy"
  bool several_orders = true;      // "MultipleOrderBy"
  bool top = true;                 // "Top"
  bool offset = true;              // "OffsetAndLimit"

  // From the names that it sends; old clients send none.
  static PlanFeatures From(const std::vector<std::string>& names);
};

// As JSON. kUnsupported when only the server can execute the query: values of several aggregates,
// aggregates or orders over subqueries, and what the client does not understand. REQUIRES: `bound`
// was made of context.text.
Result<std::string> MakeQueryPlan(const BoundQuery& bound, const QueryBindContext& context,
                                  const item::ContainerSchema& schema, PlanFeatures features);

}  // namespace orrery::sql
