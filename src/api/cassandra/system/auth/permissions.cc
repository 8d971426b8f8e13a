// The permissions of roles: system_auth.role_permissions, and the same by resource.
#include <vector>

#include "api/cassandra/system/auth/auth_tables.h"

namespace orrery::cassandra {

TablePtr RolePermissionsTable(const RoleReader* roles) {
  return AuthTable("role_permissions", "permissions granted to roles")
      .PartitionKey({{"role", "text"}})
      .Clustering({{"resource", "text"}})
      .Regular({{"permissions", "set<text>"}})
      .Build([roles](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (roles == nullptr) return {};
        CQL_ASSIGN(const std::vector<PermissionFacts> granted, roles->Permissions());
        for (const PermissionFacts& each : granted) {
          rows.Add()
              .Text("role", each.role)
              .Text("resource", each.resource)
              .TextSet("permissions", each.permissions);
        }
        return {};
      });
}

TablePtr ResourceRolesTable(const RoleReader* roles) {
  // The name is misspelt in Cassandra, too.
  return AuthTable("resource_role_permissons_index", "roles with permissions on each resource")
      .PartitionKey({{"resource", "text"}})
      .Clustering({{"role", "text"}})
      .Build([roles](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (roles == nullptr) return {};
        CQL_ASSIGN(const std::vector<PermissionFacts> granted, roles->Permissions());
        for (const PermissionFacts& each : granted)
          rows.Add().Text("resource", each.resource).Text("role", each.role);
        return {};
      });
}

}  // namespace orrery::cassandra
