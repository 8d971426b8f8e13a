// The keyspace "system_views": what the server measures of itself.
//
// With rows: clients, settings, thread_pools, caches, cql_metrics, disk_usage. Without, because
// nothing here is counted that way or the thing does not exist: latencies and histograms by table,
// batch_metrics, queries, sstable_tasks, caches of roles, internode traffic, hints, gossip,
// streams, repairs, system_properties.
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/system_facts.h"

namespace orrery::cassandra {

KeyspacePtr MakeViewsKeyspace(const SystemFacts& facts);

}  // namespace orrery::cassandra
