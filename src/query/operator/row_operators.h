// The operators over rows in slots, each behind the function that makes it.
//
// The frame and what is bound must outlive the operators.
#pragma once

#include "query/operator/operator_plan.h"
#include "query/operator/row_operator.h"
#include "query/source/document_source.h"

namespace orrery::query {

// One row without values of its own.
RowOperatorPtr OneRow();
// One row for each document.
RowOperatorPtr Documents(DocumentSource& documents, uint32_t slot, RowFrame& frame);
// One row for each value that the source has for a row of the input. `documents` may be null when
// no query in it reads the container. REQUIRES: not kDocuments. (unwind.cc)
RowOperatorPtr Unwind(RowOperatorPtr input, const SourceStep& source, DocumentSource* documents,
                      RowFrame& frame);
// Makes the operator for FROM, JOIN and WHERE of the query.
RowOperatorPtr RowsOf(const OperatorPlan& plan, DocumentSource* documents, RowFrame& frame);
// The rows of which the condition is true.
RowOperatorPtr Filter(RowOperatorPtr input, const Evaluator& condition, RowFrame& frame);
// One row for each group, in the order of their first rows: its keys and aggregates. Without keys
// always one. kTooLarge past the limits on what is kept. (group.cc)
RowOperatorPtr Group(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame);

}  // namespace orrery::query
