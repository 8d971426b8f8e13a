// Puts system tables together into their keyspaces.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

// The nature of a system keyspace to drivers: it decides in which schema tables it is listed.
enum class KeyspaceNature : uint8_t {
  kLocal,       // of each node by itself: system, system_schema
  kReplicated,  // one for the cluster: system_auth, system_traces, system_distributed
  kVirtual,     // listed in system_virtual_schema only
};

// REQUIRES: each table is of that keyspace, and no two have the same name.
KeyspacePtr MakeSystemKeyspace(std::string_view name, KeyspaceNature nature,
                               std::vector<TablePtr> tables);

}  // namespace orrery::cassandra
