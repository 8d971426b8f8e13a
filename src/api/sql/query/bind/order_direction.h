// Decides the direction of an ORDER BY where the text may leave it open.
#pragma once

#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

// Ascending unless it says otherwise; but the most similar come first of VECTORDISTANCE, which
// measures similarity, except by the Euclidean distance.
bool IsDescending(const ast::Ordering& ordering);

// The same of an expression, where no direction is given.
bool IsDescendingByDefault(const ast::Expression& expression);

// Returns whether it is a call of VECTORDISTANCE, by this name or by the one that it has in plans.
bool IsVectorDistance(const ast::Expression& expression);
// By the name that people write, which takes no direction.
bool IsWrittenVectorDistance(const ast::Expression& expression);

}  // namespace orrery::sql
