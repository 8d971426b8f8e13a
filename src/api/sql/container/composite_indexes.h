// The composite indexes of an indexing policy, and what of them the core has: named indexes over
// several paths.
//
//   [[{"path": "/name", "order": "ascending"}, {"path": "/age", "order": "ascending"}], ..]
//
// The core reads its indexes in both directions: one whose directions are all the opposite of
// another's is the same index. The first path always rises in it.
//
// Pure.
#pragma once

#include <vector>

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

// Those that the core is to have, without ids. kInvalidArgument says which part is wrong.
Result<std::vector<item::NamedIndex>> CompositeIndexesFrom(const model::Value& json);

}  // namespace orrery::sql
