// Puts rows into the order of ORDER BY RANK.
//
// A full-text score is Okapi BM25 with k1 = 1.2 and b = 0.75. How common a phrase is and how long
// texts are on average is counted among the rows that are ranked. Several scores become one by
// reciprocal rank fusion: each adds weight / (60 + rank), where rows of equal score share a rank
// and a negative weight ranks from the other end.
//
// Pure.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "api/sql/query/bind/bound_query.h"
#include "model/value.h"
#include "query/operator/operator_plan.h"

namespace orrery::sql {

// The numbers of the rows, the best first; of equal ones the lower number. `rows` has the values of
// all `ranks` for each row. A row without a score comes last.
std::vector<size_t> RankRows(const std::vector<const std::vector<model::Value>*>& rows,
                             std::span<const BoundRank> ranks);

// The same as operators know it. Null for no ranks, which must outlive it.
std::shared_ptr<const query::RowRanking> RankingOf(std::span<const BoundRank> ranks);

}  // namespace orrery::sql
