// The full-text indexes of an indexing policy, and what the core has of them: text indexes.
//
//   [{"path": "/text"}, ..]
//
// Pure.
#pragma once

#include <vector>

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

// Without ids. kInvalidArgument says which part is wrong; a path has no wildcards.
Result<std::vector<item::NamedIndex>> FullTextIndexesFrom(const model::Value& json);

}  // namespace orrery::sql
