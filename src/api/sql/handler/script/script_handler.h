// Stored procedures, triggers and user-defined functions as resources, and the execution of
// procedures.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddScriptHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
