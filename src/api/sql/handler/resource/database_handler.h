// Databases: create, read, delete, list, query.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddDatabaseHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
