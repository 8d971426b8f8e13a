// Deletes documents that TTL indexes say have expired, as MongoDB does: now and then, by index,
// each only if it still has expired at its turn.
#pragma once

#include "api/mongo/catalog/collection_catalog.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

// Goes once through all collections with TTL indexes. Returns how many documents were deleted. What
// cannot be deleted now is left for the next time. Blocks.
int64_t DeleteExpired(gateway::Gateway& gateway, const CollectionCatalog& collections,
                      int64_t now_unix_ms);

}  // namespace orrery::mongo
