// GET /: the account, which clients read first of all. Where they go on from there is what it says:
// the scheme and host that they came by.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddAccountHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
