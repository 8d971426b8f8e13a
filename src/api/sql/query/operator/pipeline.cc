#include "api/sql/query/operator/pipeline.h"

#include <utility>

#include "api/sql/query/operator/row_operators.h"

namespace orrery::sql {

Pipeline::Pipeline(const BoundQuery& query, const Frame& outer, DocumentSource* documents,
                   const QueryLimits& limits, Until until)
    : frame_(outer, limits) {
  RowOperatorPtr rows = RowsOf(query, documents, frame_);
  if (query.is_grouped()) rows = Group(std::move(rows), query, frame_);
  output_ = Project(std::move(rows), query, frame_);
  if (until == Until::kProjected) return;
  if (!query.order_by.empty()) output_ = Sort(std::move(output_), query, limits);
  if (!query.rank.empty()) output_ = Rank(std::move(output_), query, limits);
  if (query.is_distinct) output_ = Distinct(std::move(output_), limits);
  if (query.offset > 0 || query.limit.has_value())
    output_ = Limit(std::move(output_), query.offset, query.limit);
}

}  // namespace orrery::sql
