// Validates the vectors that a container declares: its "vectorEmbeddingPolicy" and the
// "vectorIndexes" of its indexing policy, which must fit each other. The use of the indexes is not
// decided here. Errors have the text of Azure Cosmos DB, as clients' tests compare it.
//
// Pure.
#pragma once

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// Of a container as a client writes it. kInvalidArgument names what is wrong.
Status CheckVectorPolicy(const model::Value& body);

// Checks that `body` may replace what `former` declared: vectors and their indexes come and go, but
// an existing one stays as it is. Both as clients see containers.
Status CheckVectorPolicyChange(const model::Value& former, const model::Value& body);

}  // namespace orrery::sql
