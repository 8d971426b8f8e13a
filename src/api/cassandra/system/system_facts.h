// Everything that system tables tell and that is not in the schema, handed in by the server.
#pragma once

#include "api/cassandra/schema/table_options.h"
#include "api/cassandra/system/client_lister.h"
#include "api/cassandra/system/node_facts.h"
#include "api/cassandra/system/node_monitor.h"
#include "api/cassandra/system/prepared_lister.h"
#include "api/cassandra/system/role_reader.h"
#include "api/cassandra/system/size_estimates.h"
#include "api/cassandra/system/trace_store.h"
#include "api/cassandra/system/view_builds.h"

namespace orrery::cassandra {

struct SystemFacts {
  NodeFacts self;
  OptionMap settings;  // by name; without secrets, since every user may read them

  // Null: what it would list is not there. Each must outlive the keyspaces.
  const PeerLister* peers = nullptr;
  const SizeEstimates* sizes = nullptr;
  const ViewBuildLister* view_builds = nullptr;
  const PreparedLister* prepared = nullptr;
  const TraceStore* traces = nullptr;
  const RoleReader* roles = nullptr;
  const ClientLister* clients = nullptr;
  const NodeMonitor* monitor = nullptr;
};

}  // namespace orrery::cassandra
