// Plans of ORDER BY RANK: how a client ranks the documents of several partitions itself.
//
//   globalStatisticsQuery   asked of each partition; the client adds the numbers up
//   componentQueryInfos     one query for each score, which gives the best documents by it, and all
//                           scores of each; its _rid is a text that orders those of equal scores
//                           by when they were written. The numbers take the places of
//                           {documentdb-formattablehybridsearchquery-..}
//   componentWeights, skip, take
//                           how the client makes one order of all (reciprocal rank fusion)
//
// Pure.
#pragma once

#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/bind/query_binder.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// Returns hybridSearchQueryInfo. kUnsupported without TOP or LIMIT, with DISTINCT, or over anything
// but the container's documents. REQUIRES: `bound` was made in `context`, and has a rank.
Result<model::Value> HybridPlan(const BoundQuery& bound, const QueryBindContext& context);

}  // namespace orrery::sql
