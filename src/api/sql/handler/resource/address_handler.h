// Tells clients in Direct mode where the partitions of a container are.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddAddressHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
