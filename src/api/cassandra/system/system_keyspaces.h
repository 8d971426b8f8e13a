// The system keyspaces of the Cassandra API: every table that Cassandra 4.1 has there, with its
// columns.
//
// No table stores anything. Rows are computed from the schema of the statement and from what the
// server hands in (system_facts.h), so they cannot differ from the truth. Tables that speak of what
// does not exist here (hints, repairs, gossip ...) are there and empty, because tools name them.
// Each keyspace has a module of its own.
//
// Pure; the keyspaces are thread-safe.
#pragma once

#include <vector>

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/system_facts.h"

namespace orrery::cassandra {

// For SchemaCache. What `facts` points at must outlive them.
std::vector<KeyspacePtr> MakeSystemKeyspaces(const SystemFacts& facts);

}  // namespace orrery::cassandra
