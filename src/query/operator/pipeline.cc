#include "query/operator/pipeline.h"

#include <utility>

#include "query/operator/row_operators.h"

namespace orrery::query {

Pipeline::Pipeline(const OperatorPlan& plan, const Frame& outer, DocumentSource* documents,
                   const RunLimits& limits, Until until)
    : frame_(outer, limits) {
  RowOperatorPtr rows = RowsOf(plan, documents, frame_);
  if (plan.is_grouped()) rows = Group(std::move(rows), plan, frame_);
  output_ = Project(std::move(rows), plan, frame_);
  if (until == Until::kProjected) return;
  if (!plan.order_by.empty()) output_ = Sort(std::move(output_), plan, limits);
  if (plan.ranking != nullptr) output_ = Rank(std::move(output_), plan, limits);
  if (plan.is_distinct) output_ = Distinct(std::move(output_), plan, limits);
  if (plan.offset > 0 || plan.limit.has_value())
    output_ = Limit(std::move(output_), plan.offset, plan.limit);
}

}  // namespace orrery::query
