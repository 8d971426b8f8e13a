// The aggregates of a query over one group of rows, as far as they have come.
//
// Lives for one execution, on one thread. The query must outlive it.
#pragma once

#include <memory>
#include <vector>

#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/operator/kept_bytes.h"
#include "api/sql/query/operator/row_operator.h"

namespace orrery::sql {

class Aggregation {
 public:
  explicit Aggregation(const BoundQuery& query);

  // The row that the slots hold. What lists and sets keep of it is added to `kept`.
  Status AddRow(Frame& frame, KeptBytes& kept);

  // What was added so far, for another that goes on from there: an array of JSON values.
  model::Value Partials() const;
  // kInvalidArgument when it is not what Partials of the same query answered.
  Status Merge(const model::Value& partials);

  // The aggregates' values, in the order of the query's.
  std::vector<model::Value> Finals() const;

 private:
  const BoundQuery* query_;
  std::vector<std::unique_ptr<Accumulator>> accumulators_;
};

// Whether what has come so far is of a bounded size: no lists and sets.
bool HasSmallPartials(const BoundQuery& query);

}  // namespace orrery::sql
