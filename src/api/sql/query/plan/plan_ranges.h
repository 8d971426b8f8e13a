// PlanRanges are the parts of the ring that a query can find documents in, as query plans name
// them: ranges of effective partition keys, upper-case hex.
//
// One for each partition key that the query leaves possible (key_conditions.h), or for each
// beginning of a hierarchical one; all of the ring where it leaves any. A query that can find
// nothing, or reads nothing, has the range of the empty key alone, below all keys: clients ask the
// first partition, which answers what there is to answer without documents (SELECT 1, COUNT(1)
// WHERE false).
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "model/value.h"

namespace orrery::sql {

struct PlanRange {
  std::string min;  // always inclusive
  std::string max;
  bool includes_max = false;

  // Returns whether it is of one whole key: all of it is in one partition.
  bool is_point() const { return includes_max && min == max; }
};

// Rising and disjoint, at least one.
std::vector<PlanRange> PlanRangesOf(const ast::Query& query, const item::ContainerSchema& schema,
                                    const ConditionContext& context);

// [{"min", "max", "isMinInclusive", "isMaxInclusive"}, ..]
model::Value ToValue(const std::vector<PlanRange>& ranges);

}  // namespace orrery::sql
