// Queries over documents, and plans for clients that execute them partition by partition.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddQueryHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
