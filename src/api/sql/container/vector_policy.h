// Whether the vectors that a container declares make sense: its "vectorEmbeddingPolicy" and the
// "vectorIndexes" of its indexing policy, which must fit each other. What the indexes then do is
// not decided here. Errors say what Azure Cosmos DB says, as clients' tests look at the words.
//
// Pure.
#pragma once

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// Of a container as a client writes it. kInvalidArgument names what is wrong.
Status CheckVectorPolicy(const model::Value& body);

// Whether `body` may take the place of what `former` declared: vectors and their indexes come and
// go, but one that is there stays as it is. Both as clients see containers.
Status CheckVectorPolicyChange(const model::Value& former, const model::Value& body);

}  // namespace orrery::sql
