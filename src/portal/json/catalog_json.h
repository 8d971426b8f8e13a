// Databases and containers as the admin interface shows them.
#pragma once

#include "gateway/catalog/catalog_entries.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {

// {"id":"shop","throughput":{"manual":400},"containers":2}; no throughput when it shares none.
void WriteDatabase(JsonWriter& json, const gateway::DatabaseEntry& database, size_t containers);

// {"database":"shop","id":"orders","kind":"unlimited","throughputOf":"container","version":1,
//  "indexProgress":100,"settings":{...}}; "settings" is what a create or an update takes.
// `index_progress`: how much of the items, in per cent, follows the container's indexing policy.
void WriteContainer(JsonWriter& json, const gateway::ContainerEntry& container, int index_progress);

// {"manual":400}, {"autoscaleMax":4000} or null.
void WriteThroughput(JsonWriter& json, const partition::ThroughputSettings& throughput);

}  // namespace orrery::portal
