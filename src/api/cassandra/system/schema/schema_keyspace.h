// The keyspace "system_schema": the definitions of all keyspaces but the virtual ones, itself
// included, computed from the schema that the statement was planned for.
#pragma once

#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

KeyspacePtr MakeSchemaKeyspace();

}  // namespace orrery::cassandra
