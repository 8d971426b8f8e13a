#include "api/cassandra/access/authority.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

// Traces and views show statements and addresses of other clients: they take permission.
constexpr std::string_view kReadableByAll[] = {"system", "system_schema", "system_virtual_schema"};
// Those that Cassandra replicates; its refusals differ.
constexpr std::string_view kReplicated[] = {"system_auth", "system_distributed", "system_traces"};

constexpr PermissionSet kReading{Permission::kSelect, Permission::kDescribe, Permission::kExecute};
constexpr PermissionSet kDefining{Permission::kCreate, Permission::kAlter, Permission::kDrop};
constexpr PermissionSet kChanging = kDefining | PermissionSet{Permission::kModify};

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

CqlStatus CheckSystemKeyspace(Permission permission, const Resource& resource,
                              std::string_view keyspace) {
  if (!kChanging.Has(permission)) return {};
  if (kDefining.Has(permission) && IsAmong(kReplicated, keyspace)) {
    return Refuse(ErrorCode::kUnauthorized,
                  fmt::format("Cannot {} {}", PermissionName(permission), ResourceText(resource)));
  }
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("{} keyspace is not user-modifiable.", keyspace));
}

}  // namespace

std::string_view Authority::user() const {
  return client_.role.empty() ? std::string_view("anonymous") : client_.role;
}

bool Authority::is_superuser() const {
  return is_owner() || (is_role() && roles_.IsSuperuser(client_.role));
}

bool Authority::Holds(Permission permission, const Resource& resource) const {
  if (is_owner()) return true;
  if (client_.read_only) return kReading.Has(permission);
  return is_role() && roles_.Allows(client_.role, permission, resource);
}

CqlStatus Authority::Require(Permission permission, const Resource& resource) const {
  const auto parts = TakeApart(resource);
  if (parts.has_value() && IsSystemKeyspace(parts->keyspace)) {
    // Functions of the server itself are everyone's.
    if (permission == Permission::kExecute) return {};
    if (parts->family == ResourceFamily::kData)
      CQL_TRY(CheckSystemKeyspace(permission, resource, parts->keyspace));
    const bool readable =
        permission == Permission::kSelect && IsAmong(kReadableByAll, parts->keyspace);
    if (readable) return {};
  }
  if (Holds(permission, resource)) return {};
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("User {} has no {} permission on {} or any of its parents", user(),
                            PermissionName(permission), ResourceText(resource)));
}

CqlStatus Authority::RequirePrivilege(Permission permission, const Resource& role) const {
  if (Holds(permission, role)) return {};
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("User {} does not have sufficient privileges to perform the requested "
                            "operation",
                            user()));
}

}  // namespace orrery::cassandra
