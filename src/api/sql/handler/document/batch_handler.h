// Batches: all operations of one partition key or none (atomic), and many by themselves (bulk).
//
// The operations of a bulk request are all under way at once; those of one document keep their
// order, since a partition takes them in the order they were sent.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddBatchHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
