// The operators over rows as values: from the slots of a row to what the client gets.
//
// Each owns its input. Lives for one execution, on one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/operator/row_operator.h"
#include "model/value.h"

namespace orrery::sql {

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
                 const BoundQuery& query);

// SELECT and ORDER BY's values of each row. Rows without a value are left out; so are those whose
// single value of ORDER BY is neither null, boolean, number nor string, as no index has them; but
// see BoundQuery::orders_undefined.
OutputOperatorPtr Project(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame);
// All rows in order; equal ones as they came. kTooLarge past the limits on sorted rows.
OutputOperatorPtr Sort(OutputOperatorPtr input, const BoundQuery& query, const QueryLimits& limits);
// All rows, the best of ORDER BY RANK first. kTooLarge as Sort. (rank/rank_operator.cc)
OutputOperatorPtr Rank(OutputOperatorPtr input, const BoundQuery& query, const QueryLimits& limits);
// The first of equal rows. kTooLarge past the limits on distinct values.
OutputOperatorPtr Distinct(OutputOperatorPtr input, const QueryLimits& limits);
OutputOperatorPtr Limit(OutputOperatorPtr input, uint64_t offset, std::optional<uint64_t> limit);

}  // namespace orrery::sql
