// Databases as clients write and see them. Pure.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

// The id that a body asks for. kInvalidArgument when there is none.
Result<std::string> DatabaseIdFrom(model::DocumentView body);
// Returns the properties kept about a database created at `now`.
model::Document NewDatabaseExtra(Micros now);

std::string DatabaseRid(DatabaseId id);
model::Value SeenDatabase(const gateway::DatabaseEntry& entry);
std::string DatabaseEtag(const gateway::DatabaseEntry& entry);

}  // namespace orrery::sql
