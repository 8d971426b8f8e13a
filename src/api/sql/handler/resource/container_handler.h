// Containers: create, read, replace, delete, list, query; and their conflicts feed, which is always
// empty because there is one region.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddContainerHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
