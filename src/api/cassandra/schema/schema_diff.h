// Computes the differences between two schemas, as clients are told them.
//
// The node that runs a statement knows what it changed. All others see only that the catalog is
// another one now, maybe by several statements at once: they find out here.
#pragma once

#include <vector>

#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

// First what went, then what came, then what changed; within a keyspace that went or came, the
// keyspace before its parts, and of one that went the keyspace only. A keyspace or a table that was
// dropped and made again did both. Whether views and indexes are built is no change, and neither
// is throughput; virtual keyspaces never change. Costs little where the keyspaces are the same
// objects.
std::vector<SchemaChange> ChangesBetween(const Schema& former, const Schema& now);

}  // namespace orrery::cassandra
