// The keyspace "system": this node, its peers, sizes, what is built and what is prepared.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/system_facts.h"

namespace orrery::cassandra {

KeyspacePtr MakeCoreKeyspace(const SystemFacts& facts);

}  // namespace orrery::cassandra
