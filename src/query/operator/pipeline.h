// A Pipeline executes a bound query: the operators of row_operators.h and output_operator.h in
// their order.
//
// Of the outermost query one that pages its rows takes kProjected and does the rest itself; all
// other queries are executed whole.
//
// Lives for one execution, on one thread. The query, the documents, what `outer` points to and the
// limits must outlive it.
#pragma once

#include "query/operator/operator_plan.h"
#include "query/operator/output_operator.h"
#include "query/operator/row_operator.h"
#include "query/source/document_source.h"

namespace orrery::query {

class Pipeline {
 public:
  enum class Until : uint8_t { kWhole, kProjected };

  // `outer` has a slot for each that the query names; `documents` may be null when it does not read
  // the container.
  Pipeline(const OperatorPlan& plan, const Frame& outer, DocumentSource* documents,
           const RunLimits& limits, Until until = Until::kWhole);

  // False when there are no more rows; then it must not be called again.
  Result<bool> Next(OutputRow& row) { return output_->Next(row); }

 private:
  RowFrame frame_;
  OutputOperatorPtr output_;
};

}  // namespace orrery::query
