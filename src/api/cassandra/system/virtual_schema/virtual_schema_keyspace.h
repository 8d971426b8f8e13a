// The keyspace "system_virtual_schema": the definitions of the virtual keyspaces, itself included.
// Drivers read it beside system_schema when release_version is 4.0 or later.
#pragma once

#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

KeyspacePtr MakeVirtualSchemaKeyspace();

}  // namespace orrery::cassandra
