// The keyspace "system_traces": what a TraceStore holds.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/node_facts.h"
#include "api/cassandra/system/trace_store.h"

namespace orrery::cassandra {

// `traces` null: nothing is traced. `self` is who coordinated every request.
KeyspacePtr MakeTracesKeyspace(const TraceStore* traces, const NodeFacts& self);

}  // namespace orrery::cassandra
