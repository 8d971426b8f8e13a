// Many documents at once without a query: the feed of all, the change feed, and the end of all that
// one partition key has.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddFeedHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
