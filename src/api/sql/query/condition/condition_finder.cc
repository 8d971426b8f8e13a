#include "api/sql/query/condition/condition_finder.h"

#include "api/sql/query/condition/document_paths.h"
#include "api/sql/query/condition/order_finder.h"
#include "api/sql/query/condition/predicate_finder.h"
#include "api/sql/query/condition/residual_finder.h"
#include "api/sql/query/condition/shape_finder.h"
#include "api/sql/query/condition/term_finder.h"

namespace orrery::sql {

std::optional<FoundConditions> FindConditions(const ast::Query& query,
                                              const ConditionContext& context) {
  const ast::Query* reader = ReaderOf(query);
  if (reader == nullptr) return std::nullopt;
  FoundConditions found;
  query::Conditions& conditions = found.conditions;
  if (reader->where.has_value()) {
    conditions.all = PredicatesOf(*reader, context);
    conditions.disjunctions = DisjunctionsOf(*reader, context);
    conditions.residuals = ResidualsOf(*reader, context);
    conditions.terms = TermConditionsOf(*reader, context);
    conditions.shapes = ShapeConditionsOf(*reader, context);
  }
  conditions.order = WantedOrderOf(query, context);
  conditions.nearest = NearestOrderOf(query, context);
  found.reads = ReadsOf(query, context);
  if (found.reads.has_value()) conditions.reads = found.reads->reads;
  return found;
}

}  // namespace orrery::sql
