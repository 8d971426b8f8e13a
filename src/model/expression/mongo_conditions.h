// The operators of an Expression that have MongoDB's rules: Operator::kMongoEqual and those behind
// it. Pure.
#pragma once

#include "model/document/document.h"
#include "model/expression/expression.h"

namespace orrery::model {

// Returns whether the condition is true of the document. REQUIRES: the operator is one of
// MongoDB's.
bool MeetsMongo(const Expression& condition, DocumentView document);

}  // namespace orrery::model
