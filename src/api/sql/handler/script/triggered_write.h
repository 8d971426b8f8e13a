// Writes of documents that name triggers: the triggers and the write are one transaction.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

// Goes before the handlers of documents that are in the table, and leaves to them what names no
// trigger. Reads, patches and batches run none.
void AddTriggeredWrites(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
