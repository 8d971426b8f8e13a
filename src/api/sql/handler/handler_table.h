// The table of handlers: one for each type of resource and action.
#pragma once

#include "api/sql/handler/call.h"
#include "net/http/dispatch/handler_table.h"

namespace orrery::sql {

using HandlerTable = net::HandlerTable<Call, ResourceType, Action>;

}  // namespace orrery::sql
