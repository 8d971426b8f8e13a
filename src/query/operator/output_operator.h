// The operators over rows as values: from the slots of a row to what the client gets.
//
// Each owns its input. Lives for one execution, on one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/value.h"
#include "query/operator/operator_plan.h"
#include "query/operator/row_operator.h"

namespace orrery::query {

struct OutputRow {
  model::Value value;
  std::vector<model::Value> order;  // the values of ORDER BY, or what RANK is made of
};

class OutputOperator {
 public:
  virtual ~OutputOperator() = default;
  // False when there are no more rows; then it must not be called again.
  virtual Result<bool> Next(OutputRow& row) = 0;
};
using OutputOperatorPtr = std::unique_ptr<OutputOperator>;

// Less than 0 when `a` comes before `b` under the query's ORDER BY, 0 when they are equal there.
int CompareOrder(const std::vector<model::Value>& a, const std::vector<model::Value>& b,
                 const OperatorPlan& plan);

// SELECT and ORDER BY's values of each row. Rows without a value are left out; so are those whose
// single value of ORDER BY has no place in the order (ValueRules::has_place, orders_undefined).
OutputOperatorPtr Project(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame);
// All rows in order; equal ones as they came. kTooLarge past the limits on sorted rows.
OutputOperatorPtr Sort(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits);
// All rows, the best of OperatorPlan::ranking first. kTooLarge as Sort.
OutputOperatorPtr Rank(OutputOperatorPtr input, const OperatorPlan& plan, const RunLimits& limits);
// The first of equal rows. kTooLarge past the limits on distinct values.
OutputOperatorPtr Distinct(OutputOperatorPtr input, const OperatorPlan& plan,
                           const RunLimits& limits);
OutputOperatorPtr Limit(OutputOperatorPtr input, uint64_t offset, std::optional<uint64_t> limit);

}  // namespace orrery::query
