// Which part of the ring a query can find documents in, as query plans name it: ranges of effective
// partition keys, upper-case hex.
//
// One for each partition key that the query names (c.pk = a, c.pk IN (a, b), c.pk = a OR c.pk = b),
// or for each beginning of a hierarchical one; all of the ring where it names none, or too many.
//
// Pure.
#pragma once

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/index/predicate.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// [{"min", "max", "isMinInclusive", "isMaxInclusive"}, ..], rising and disjoint.
Result<model::Value> PlanRanges(const ast::Query& query, const item::ContainerSchema& schema,
                                const PredicateContext& context);

}  // namespace orrery::sql
