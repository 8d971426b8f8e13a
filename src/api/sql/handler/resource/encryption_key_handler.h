// Requests for a database's client encryption keys: created, read, listed, wrapped anew.
#pragma once

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"

namespace orrery::sql {

void AddEncryptionKeyHandlers(HandlerTable& table, const HandlerParts& parts);

}  // namespace orrery::sql
