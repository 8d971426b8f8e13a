// The keyspace "system_distributed": what the nodes of a cluster tell each other in Cassandra. Only
// the state of view builds exists here.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/system_facts.h"

namespace orrery::cassandra {

KeyspacePtr MakeDistributedKeyspace(const SystemFacts& facts);

}  // namespace orrery::cassandra
