// An Aggregation holds the aggregates of a query over one group of rows, as far as they have come.
//
// Lives for one execution, on one thread. The query must outlive it.
#pragma once

#include <memory>
#include <vector>

#include "model/aggregate/partial_groups.h"
#include "query/operator/kept_bytes.h"
#include "query/operator/operator_plan.h"
#include "query/operator/row_operator.h"

namespace orrery::query {

class Aggregation {
 public:
  explicit Aggregation(const OperatorPlan& plan);

  // The row that the slots hold. What lists and sets keep of it is added to `kept`.
  Status AddRow(Frame& frame, KeptBytes& kept);

  // Returns the state so far, for another aggregation that goes on from there: an array of JSON
  // values.
  model::Value Partials() const;
  // kInvalidArgument when it is not what Partials of the same query answered.
  Status Merge(const model::Value& partials);
  // The same of a group that the owner of a partition made: kInternal.
  Status MergeGroup(const model::PartialGroup& group);

  // The aggregates' values, in the order of the query's.
  std::vector<model::Value> Finals() const;

 private:
  const OperatorPlan* plan_;
  std::vector<std::unique_ptr<Accumulator>> accumulators_;
};

// Returns the partial group that the document in the slots is. REQUIRES: plan.merges_groups.
Result<model::PartialGroup> GroupInSlots(const OperatorPlan& plan, const Frame& frame);

// Returns whether the state so far is of a bounded size: no lists and sets.
bool HasSmallPartials(const OperatorPlan& plan);

}  // namespace orrery::query
