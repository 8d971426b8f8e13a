// ORDER BY RANK: FULLTEXTSCORE(path, phrase, ..), or RRF(score, score, .. [, weights]) of several,
// each a FULLTEXTSCORE or a VECTORDISTANCE.
#pragma once

#include <vector>

#include "api/sql/evaluate/binder.h"
#include "api/sql/parser/ast/query.h"
#include "api/sql/query/bind/bound_query.h"

namespace orrery::sql {

// Phrases and weights must be constants. Errors say where in the text.
Parsed<std::vector<BoundRank>> BindRank(const ast::OrderBy& order_by, const BindContext& context);

}  // namespace orrery::sql
