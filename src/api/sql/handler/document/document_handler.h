// Single documents: create, upsert, read, replace, patch, delete.
//
// Reads are answered on the event loop when what they need is in memory, else from the I/O pool.
// Writes are answered from whatever thread they end on.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddDocumentHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
