// Validates a container's "fullTextPolicy": its paths, and languages that Azure Cosmos DB knows.
// The languages change nothing here (full_text_indexes.h).
//
// Pure.
#pragma once

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

// Of a container as a client writes it. kInvalidArgument names what is wrong.
Status CheckFullTextPolicy(const model::Value& body);

}  // namespace orrery::sql
