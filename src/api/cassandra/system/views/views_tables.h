// The tables of the keyspace "system_views", one maker for each or for a family of them. What may
// be null is null when there is nothing to tell.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"
#include "api/cassandra/system/client_lister.h"
#include "api/cassandra/system/node_monitor.h"
#include "api/cassandra/system/size_estimates.h"

namespace orrery::cassandra {

// A table of this keyspace.
TableBuilder ViewTable(std::string_view name, std::string_view comment);

TablePtr ClientsTable(const ClientLister* clients);
TablePtr SettingsTable(OptionMap settings);

TablePtr ThreadPoolsTable(const NodeMonitor* monitor);
TablePtr CachesTable(const NodeMonitor* monitor);
TablePtr CqlMetricsTable(const NodeMonitor* monitor);

// One row per table each: disk_usage has them, latencies and histograms are empty.
std::vector<TablePtr> TableMetricTables(const SizeEstimates* sizes);

std::vector<TablePtr> EmptyTaskTables();       // queries, tasks, keys of caches
std::vector<TablePtr> EmptyInternodeTables();  // traffic, hints, gossip, streams
std::vector<TablePtr> EmptyRepairTables();

}  // namespace orrery::cassandra
