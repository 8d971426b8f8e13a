// The operators over rows in slots, each behind the function that makes it.
//
// The frame and what is bound must outlive the operators.
#pragma once

#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/operator/row_operator.h"
#include "api/sql/query/source/document_source.h"

namespace orrery::sql {

// One row without values of its own.
RowOperatorPtr OneRow();
// One row for each document.
RowOperatorPtr Documents(DocumentSource& documents, uint32_t slot, RowFrame& frame);
// One row for each value that the source has for a row of the input. `documents` may be null when
// no query in it reads the container. REQUIRES: not kDocuments. (unwind.cc)
RowOperatorPtr Unwind(RowOperatorPtr input, const BoundSource& source, DocumentSource* documents,
                      RowFrame& frame);
// What FROM, JOIN and WHERE of the query give, before anything becomes of it.
RowOperatorPtr RowsOf(const BoundQuery& query, DocumentSource* documents, RowFrame& frame);
// The rows of which the condition is true.
RowOperatorPtr Filter(RowOperatorPtr input, const BoundExpression& condition, RowFrame& frame);
// One row for each group, in the order of their first rows: its keys and aggregates. Without keys
// always one. kTooLarge past the limits on what is kept. (group.cc)
RowOperatorPtr Group(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame);

}  // namespace orrery::sql
