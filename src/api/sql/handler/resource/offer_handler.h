// Offers: read, replace, list, query.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddOfferHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
