// A table or view as the catalog keeps it: a container of rows whose `extra` is
//
//   {"api": "cassandra", "version": 1, "id": uuid,
//    "columns":  [{"name", "id"?, "type": type, "kind", "position"?, "descending"?}],
//    "counter"?, "compact"?, "options": {...},
//    "indexes":  [{"name", "id", "target", "column", "custom"?, "options": map}],
//    "triggers": [{"name", "class"}],
//    "dropped":  [{"name", "type": type, "kind", "at"}],
//    "highestColumnId", "highestIndexId",
//    "view"?:    {"base", "baseId": uuid, "where", "allColumns"?, "built"?}}
//
// The core's part of the definition is stored again in its own form (item::RowRules): the key's
// shape, the clustering directions, the indexes, gc_grace_seconds. Partition key paths are only
// counted there ("/k0", "/k1"), so that columns can be renamed. The core does not know the table's
// default_time_to_live: cells have times to live of their own.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/schema/table.h"
#include "base/status.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::cassandra {

gateway::ContainerSettings EncodeTable(const Table& table,
                                       const partition::ThroughputSettings& throughput);

// `keyspace` is for its types. kCorruption names the table and what is damaged, kUnsupported a
// newer version. REQUIRES: the container is ours (definition.h).
Result<Table> DecodeTable(gateway::ContainerRef container, const Keyspace& keyspace);

}  // namespace orrery::cassandra
