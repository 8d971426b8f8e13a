// CREATE, ALTER and DROP ROLE, and which role is a member of which.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/cassandra/access/password.h"
#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/access/role_edit.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

std::unexpected<CqlError> Forbidden(std::string message) {
  return Refuse(ErrorCode::kUnauthorized, std::move(message));
}

std::unexpected<CqlError> Missing(const ast::Name& role) {
  return Invalid(fmt::format("{} doesn't exist", role.text));
}

CqlStatus CheckOptions(const AccessContext& context, const ast::RoleOptions& options) {
  if (options.custom.has_value())
    return Invalid("org.apache.cassandra.auth.CassandraRoleManager doesn't support OPTIONS");
  if (options.hashed_password.has_value() && !IsPasswordHash(*options.hashed_password))
    return Invalid("Invalid hashed password value. Please use jBcrypt.");
  if (!options.datacenters.has_value()) return {};
  const bool known = std::ranges::all_of(
      *options.datacenters, [&](const std::string& name) { return name == context.datacenter; });
  if (known) return {};
  return Invalid(
      fmt::format("Invalid value(s) for DATACENTERS '[{}]',All values must be valid datacenters",
                  fmt::join(*options.datacenters, ", ")));
}

CqlStatus Apply(const AccessContext& context, const ast::RoleOptions& options, Role& role) {
  if (options.superuser.has_value()) role.is_superuser = *options.superuser;
  if (options.login.has_value()) role.can_login = *options.login;
  if (options.hashed_password.has_value()) role.salted_hash = options.hashed_password;
  if (options.password.has_value()) {
    CQL_ASSIGN(role.salted_hash, HashPassword(*options.password, context.password_rounds));
  }
  if (options.datacenters.has_value()) {
    role.datacenters.reset();
    // An empty list is ALL.
    if (!options.datacenters->empty())
      role.datacenters.emplace(options.datacenters->begin(), options.datacenters->end());
  }
  return {};
}

bool IsEmpty(const ast::RoleOptions& options) {
  return !options.password && !options.hashed_password && !options.superuser && !options.login &&
         !options.custom && !options.datacenters;
}

// A role may change its own password and nothing else of itself.
CqlStatus CheckOwnChange(const ast::RoleOptions& options) {
  if (options.login.has_value()) return Forbidden("You aren't allowed to alter LOGIN");
  if (options.datacenters.has_value()) return Forbidden("You aren't allowed to alter DATACENTERS");
  return {};
}

}  // namespace

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::CreateRole& statement) {
  const std::string& name = statement.role.text;
  const Authority& who = context.authority;
  CQL_TRY(who.RequirePrivilege(Permission::kCreate, Resource::AllRoles()));
  if (statement.options.superuser.value_or(false) && !who.is_superuser())
    return Forbidden("Only superusers can create a role with superuser status");
  CQL_TRY(CheckOptions(context, statement.options));
  if (name.empty()) return Invalid("Role name can't be an empty string");
  if (name.size() > kRoleNameBytesMax) {
    return Invalid(fmt::format("Role names shouldn't be more than {} bytes long (got \"{}\")",
                               kRoleNameBytesMax, name));
  }
  if (name == context.account || context.roles.Find(name) != nullptr) {
    if (statement.if_not_exists) return RoleEdit{};
    return Invalid(fmt::format("{} already exists", name));
  }

  Role role;
  role.name = name;
  CQL_TRY(Apply(context, statement.options, role));
  RoleEdit edit{.next = context.roles, .warnings = {}};
  edit.next->Put(std::move(role));
  if (context.roles.Find(context.client.role) != nullptr) {
    const Resource made = Resource::Role(name);
    edit.next->Edit(context.client.role).grants[made] = ApplicablePermissions(made);
  }
  return edit;
}

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::AlterRole& statement) {
  const std::string& name = statement.role.text;
  const ast::RoleOptions& options = statement.options;
  const Authority& who = context.authority;
  if (options.superuser.has_value() && who.IsMemberOf(name)) {
    return Forbidden(
        "You aren't allowed to alter your own superuser status or that of a role granted to you");
  }
  if (options.superuser.has_value() && !who.is_superuser())
    return Forbidden("Only superusers are allowed to alter superuser status");
  if (!who.is_superuser()) {
    if (context.client.role == name) {
      CQL_TRY(CheckOwnChange(options));
    } else {
      CQL_TRY(who.RequirePrivilege(Permission::kAlter, Resource::Role(name)));
    }
  }
  CQL_TRY(CheckOptions(context, options));
  if (IsEmpty(options)) return Invalid("ALTER [ROLE|USER] can't be empty");
  const Role* const former = context.roles.Find(name);
  if (former == nullptr) {
    if (statement.if_exists) return RoleEdit{};
    return Invalid(fmt::format("Role {} doesn't exist", name));
  }
  Role role = *former;
  CQL_TRY(Apply(context, options, role));
  RoleEdit edit{.next = context.roles, .warnings = {}};
  edit.next->Put(std::move(role));
  return edit;
}

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::DropRole& statement) {
  const std::string& name = statement.role.text;
  const Authority& who = context.authority;
  CQL_TRY(who.RequirePrivilege(Permission::kDrop, Resource::Role(name)));
  if (context.roles.IsSuperuser(name) && !who.is_superuser())
    return Forbidden("Only superusers can drop a role with superuser status");
  if (context.roles.Find(name) == nullptr) {
    if (statement.if_exists) return RoleEdit{};
    return Missing(statement.role);
  }
  if (context.client.role == name) return Invalid("Cannot DROP primary role for current login");
  RoleEdit edit{.next = context.roles, .warnings = {}};
  edit.next->Erase(name);
  return edit;
}

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::GrantRole& statement) {
  const std::string& role = statement.role.text;
  const std::string& grantee = statement.grantee.text;
  CQL_TRY(context.authority.RequirePrivilege(Permission::kAuthorize, Resource::Role(role)));
  if (context.roles.Find(role) == nullptr) return Missing(statement.role);
  if (context.roles.Find(grantee) == nullptr) return Missing(statement.grantee);
  if (context.roles.IsMember(grantee, role))
    return Invalid(fmt::format("{} is a member of {}", grantee, role));
  if (context.roles.IsMember(role, grantee))
    return Invalid(fmt::format("{} is a member of {}", role, grantee));
  RoleEdit edit{.next = context.roles, .warnings = {}};
  edit.next->Edit(grantee).member_of.insert(role);
  return edit;
}

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::RevokeRole& statement) {
  const std::string& role = statement.role.text;
  const std::string& revokee = statement.revokee.text;
  CQL_TRY(context.authority.RequirePrivilege(Permission::kAuthorize, Resource::Role(role)));
  if (context.roles.Find(role) == nullptr) return Missing(statement.role);
  const Role* const member = context.roles.Find(revokee);
  if (member == nullptr) return Missing(statement.revokee);
  if (!member->member_of.contains(role))
    return Invalid(fmt::format("{} is not a member of {}", revokee, role));
  RoleEdit edit{.next = context.roles, .warnings = {}};
  edit.next->Edit(revokee).member_of.erase(role);
  return edit;
}

}  // namespace orrery::cassandra
