// The roles: system_auth.roles, role_members and network_permissions.
#include <vector>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/system/auth/auth_tables.h"

namespace orrery::cassandra {
namespace {

// A source that writes rows role by role.
template <typename Write>
RowSource FromRoles(const RoleReader* roles, Write write) {
  return [roles, write](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
    if (roles == nullptr) return {};
    CQL_ASSIGN(const std::vector<RoleFacts> all, roles->Roles());
    for (const RoleFacts& role : all) write(role, query, rows);
    return {};
  };
}

}  // namespace

TablePtr RolesTable(const RoleReader* roles) {
  return AuthTable("roles", "definitions of roles")
      .PartitionKey({{"role", "text"}})
      .Regular({{"can_login", "boolean"},
                {"is_superuser", "boolean"},
                {"member_of", "set<text>"},
                {"salted_hash", "text"}})
      .Build(FromRoles(roles, [](const RoleFacts& role, const VirtualQuery& query, RowSet& rows) {
        RowWriter row = rows.Add();
        row.Text("role", role.name)
            .Boolean("can_login", role.can_login)
            .Boolean("is_superuser", role.is_superuser)
            .TextSet("member_of", role.member_of);
        if (query.client.superuser) row.OptionalText("salted_hash", role.salted_hash);
      }));
}

TablePtr RoleMembersTable(const RoleReader* roles) {
  return AuthTable("role_members", "which roles were granted to which")
      .PartitionKey({{"role", "text"}})
      .Clustering({{"member", "text"}})
      .Build(FromRoles(roles, [](const RoleFacts& role, const VirtualQuery&, RowSet& rows) {
        for (const std::string& granted : role.member_of)
          rows.Add().Text("role", granted).Text("member", role.name);
      }));
}

TablePtr NetworkPermissionsTable(const RoleReader* roles) {
  return AuthTable("network_permissions", "data centers that roles are restricted to")
      .PartitionKey({{"role", "text"}})
      .Regular({{"dcs", "frozen<set<text>>"}})
      .Build(FromRoles(roles, [](const RoleFacts& role, const VirtualQuery&, RowSet& rows) {
        if (role.data_centers.has_value())
          rows.Add().Text("role", role.name).TextSet("dcs", *role.data_centers);
      }));
}

}  // namespace orrery::cassandra
