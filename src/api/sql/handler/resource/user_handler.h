// Users of a database and their permissions: create, read, replace, delete, list. Reading or
// writing a permission mints a new resource token.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddUserHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
