// The condition of a partial index (partialFilterExpression), in the form that the core evaluates
// where documents are written (model/expression).
#pragma once

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/expression/expression.h"

namespace orrery::mongo {

// kCannotCreateIndex for operators that MongoDB does not take there: it takes $eq, $lt, $lte, $gt,
// $gte, $in, $exists: true, $type, $and and $or.
Answer<model::Expression> PartialFilterOf(model::DocumentView filter);

}  // namespace orrery::mongo
