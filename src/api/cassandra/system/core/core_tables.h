// The tables of the keyspace "system", one maker each. What may be null is null when there is
// nothing to tell; the rest of the contract is SystemFacts'.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"
#include "api/cassandra/system/node_facts.h"
#include "api/cassandra/system/prepared_lister.h"
#include "api/cassandra/system/size_estimates.h"
#include "api/cassandra/system/view_builds.h"

namespace orrery::cassandra {

// A table of this keyspace, with the options that all of them have.
TableBuilder CoreTable(std::string_view name, std::string_view comment);

TablePtr LocalTable(const NodeFacts& self, const PeerLister* peers);

TablePtr PeersTable(const PeerLister* peers);
TablePtr PeersV2Table(const PeerLister* peers);

TablePtr SizeEstimatesTable(const SizeEstimates* sizes);
TablePtr TableEstimatesTable(const SizeEstimates* sizes);

TablePtr IndexInfoTable();  // the indexes that hold every row
TablePtr BuiltViewsTable();
TablePtr ViewBuildsInProgressTable(const ViewBuildLister* builds);

TablePtr PreparedStatementsTable(const PreparedLister* prepared);

// Those of things that do not exist here: batch log, Paxos, compactions of SSTables, streams,
// repairs.
std::vector<TablePtr> EmptyCoreTables();

}  // namespace orrery::cassandra
