// Finds how the documents of a query become groups or distinct rows, as the owner of a partition
// can make them (model/aggregate/grouping.h): then partial groups are sent instead of documents.
// Pure.
//
// GROUP BY and aggregates fit if their expressions do (filter_finder.h) and no aggregate keeps all
// values. DISTINCT fits if the query looks at stored properties alone: documents that agree in all
// of these give the same row, so one of them is enough.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/condition/condition_context.h"
#include "model/aggregate/grouping.h"
#include "model/path/path.h"

namespace orrery::sql {

struct FoundGrouping {
  std::shared_ptr<const model::Grouping> grouping;
  // Of DISTINCT: the paths that the keys are, in their order, none of which is within another. Of
  // groups nullopt.
  std::optional<std::vector<model::Path>> distinct_paths;
};

// Returns nullopt if owners cannot make the groups, or the query has none. Its WHERE is not looked
// at: the groups are of all documents that it is true of. `bound` is the tree's.
std::optional<FoundGrouping> GroupingOf(const ast::Query& tree, const BoundQuery& bound,
                                        const ConditionContext& context);

}  // namespace orrery::sql
