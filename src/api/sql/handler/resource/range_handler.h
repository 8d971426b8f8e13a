// The feed of a container's partition key ranges: GET .../pkranges.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddRangeHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
