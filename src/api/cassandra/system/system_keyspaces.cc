#include "api/cassandra/system/system_keyspaces.h"

#include "api/cassandra/system/auth/auth_keyspace.h"
#include "api/cassandra/system/core/core_keyspace.h"
#include "api/cassandra/system/distributed/distributed_keyspace.h"
#include "api/cassandra/system/schema/schema_keyspace.h"
#include "api/cassandra/system/traces/traces_keyspace.h"
#include "api/cassandra/system/views/views_keyspace.h"
#include "api/cassandra/system/virtual_schema/virtual_schema_keyspace.h"

namespace orrery::cassandra {

std::vector<KeyspacePtr> MakeSystemKeyspaces(const SystemFacts& facts) {
  return {
      MakeCoreKeyspace(facts),        MakeSchemaKeyspace(),
      MakeAuthKeyspace(facts.roles),  MakeTracesKeyspace(facts.traces, facts.self),
      MakeDistributedKeyspace(facts), MakeVirtualSchemaKeyspace(),
      MakeViewsKeyspace(facts),
  };
}

}  // namespace orrery::cassandra
