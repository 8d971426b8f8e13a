// The tables of the keyspace "system_auth", one maker each. `roles` may be null.
#pragma once

#include <string_view>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"
#include "api/cassandra/system/role_reader.h"

namespace orrery::cassandra {

// A table of this keyspace, with the options that all of them have.
TableBuilder AuthTable(std::string_view name, std::string_view comment);

// Password hashes are shown to superusers only.
TablePtr RolesTable(const RoleReader* roles);
TablePtr RoleMembersTable(const RoleReader* roles);
TablePtr NetworkPermissionsTable(const RoleReader* roles);

TablePtr RolePermissionsTable(const RoleReader* roles);
TablePtr ResourceRolesTable(const RoleReader* roles);

}  // namespace orrery::cassandra
