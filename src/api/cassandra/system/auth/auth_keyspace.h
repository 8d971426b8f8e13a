// The keyspace "system_auth": roles and what they may do, read only. Roles are changed by their
// statements (CREATE ROLE, GRANT ...).
#pragma once

#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/system/role_reader.h"

namespace orrery::cassandra {

// `roles` null: there are none.
KeyspacePtr MakeAuthKeyspace(const RoleReader* roles);

}  // namespace orrery::cassandra
