#include "api/cassandra/system/auth/auth_keyspace.h"

#include <utility>

#include "api/cassandra/system/auth/auth_tables.h"
#include "api/cassandra/system/build/keyspace_builder.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kAuthKeyspace = "system_auth";
constexpr int32_t kAuthGcGraceSeconds = 90 * 24 * 3'600;

}  // namespace

TableBuilder AuthTable(std::string_view name, std::string_view comment) {
  TableOptions options;
  options.gc_grace_seconds = kAuthGcGraceSeconds;
  TableBuilder builder(kAuthKeyspace, name, comment);
  builder.Options(std::move(options));
  return builder;
}

KeyspacePtr MakeAuthKeyspace(const RoleReader* roles) {
  return MakeSystemKeyspace(
      kAuthKeyspace, KeyspaceNature::kReplicated,
      {RolesTable(roles), RoleMembersTable(roles), NetworkPermissionsTable(roles),
       RolePermissionsTable(roles), ResourceRolesTable(roles)});
}

}  // namespace orrery::cassandra
