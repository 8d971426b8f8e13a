// GRANT and REVOKE of permissions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/cassandra/access/resource_lookup.h"
#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/access/role_edit.h"

namespace orrery::cassandra {
namespace {

struct Subject {
  Resource resource;
  PermissionSet permissions;  // those asked for that make sense on it
  bool all = false;           // GRANT ALL: does not mind what is there already
};

// The checks that both statements share: the client must have the permission that it grants or
// revokes, and AUTHORIZE.
CqlResult<Subject> ReadSubject(const AccessContext& context, const ast::Resource& named,
                               const std::vector<ast::Permission>& permissions,
                               const ast::Name& role) {
  CQL_ASSIGN(const FoundResource found,
             LookUpResource(named, context.schema, context.roles, context.client.keyspace));
  Subject subject;
  subject.resource = found.resource;
  subject.all = permissions.size() == std::size(ast::kAllPermissions);
  subject.permissions = PermissionSet(permissions) & ApplicablePermissions(found.resource);
  if (subject.permissions.empty()) {
    return Refuse(
        ErrorCode::kSyntaxError,
        fmt::format("Resource type {} does not support any of the requested permissions",
                    FamilyName(TakeApart(found.resource).value_or(ResourceParts{}).family)));
  }
  CQL_TRY(context.authority.Require(ast::Permission::kAuthorize, found.resource));
  for (const ast::Permission permission : subject.permissions.Listed()) {
    // Asked first because nobody may change system keyspaces, yet permissions on them can be given.
    if (context.authority.Holds(permission, found.resource)) continue;
    CQL_TRY(context.authority.Require(permission, found.resource));
  }
  if (context.roles.Find(role.text) == nullptr)
    return Invalid(fmt::format("Role {} doesn't exist", role.text));
  if (!found.exists)
    return Invalid(fmt::format("Resource {} doesn't exist", ResourceText(found.resource)));
  return subject;
}

std::string WarningText(std::string_view role, std::string_view what, PermissionSet permissions,
                        const Resource& resource) {
  std::vector<std::string_view> names;
  for (const ast::Permission permission : permissions.Listed())
    names.push_back(ast::PermissionName(permission));
  return fmt::format("Role '{}' {} {} on {}", role, what, fmt::join(names, ", "),
                     ResourceText(resource));
}

}  // namespace

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::GrantPermissions& statement) {
  CQL_ASSIGN(const Subject subject,
             ReadSubject(context, statement.resource, statement.permissions, statement.grantee));
  const std::string& grantee = statement.grantee.text;
  RoleEdit edit{.next = context.roles, .warnings = {}};
  PermissionSet& granted = edit.next->Edit(grantee).grants[subject.resource];
  const PermissionSet already = granted & subject.permissions;
  if (!already.empty() && !subject.all)
    edit.warnings.push_back(WarningText(grantee, "was already granted", already, subject.resource));
  granted = granted | subject.permissions;
  return edit;
}

CqlResult<RoleEdit> PlanEdit(const AccessContext& context,
                             const ast::RevokePermissions& statement) {
  CQL_ASSIGN(const Subject subject,
             ReadSubject(context, statement.resource, statement.permissions, statement.revokee));
  const std::string& revokee = statement.revokee.text;
  RoleEdit edit{.next = context.roles, .warnings = {}};
  auto& grants = edit.next->Edit(revokee).grants;
  const auto found = grants.find(subject.resource);
  const PermissionSet granted = found == grants.end() ? PermissionSet{} : found->second;
  const PermissionSet absent = subject.permissions - granted;
  if (!absent.empty() && !subject.all)
    edit.warnings.push_back(WarningText(revokee, "was not granted", absent, subject.resource));
  const PermissionSet left = granted - subject.permissions;
  if (left.empty()) {
    grants.erase(subject.resource);
  } else {
    grants[subject.resource] = left;
  }
  return edit;
}

}  // namespace orrery::cassandra
