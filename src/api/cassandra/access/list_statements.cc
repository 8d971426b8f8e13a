#include "api/cassandra/access/list_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "api/cassandra/access/resource_lookup.h"
#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

constexpr std::string_view kKeyspace = "system_auth";

WireType Simple(TypeId id) {
  WireType type;
  type.id = id;
  return type;
}

WireType TextMap() {
  WireType type = Simple(TypeId::kMap);
  type.elements = {Simple(TypeId::kVarchar), Simple(TypeId::kVarchar)};
  return type;
}

// Rows of a table that there is not: the statement's own columns.
class Rows {
 public:
  explicit Rows(std::string table) : table_(std::move(table)) {}

  Rows& Column(std::string name, WireType type = Simple(TypeId::kVarchar)) {
    columns_.push_back({std::string(kKeyspace), table_, std::move(name), std::move(type)});
    return *this;
  }
  void Text(std::string_view text) { AppendBytes(rows_.cells, text); }
  void Boolean(bool value) { AppendBytes(rows_.cells, EncodeBoolean(value)); }
  void EmptyMap() { AppendBytes(rows_.cells, PackEntries({})); }
  void EndRow() { ++rows_.rows; }

  Outcome Finish() && {
    rows_.shape = std::make_shared<const ColumnShape>(std::move(columns_));
    return {std::move(rows_), {}, {}};
  }

 private:
  const std::string table_;
  std::vector<ColumnSpec> columns_;
  RowsOutcome rows_;
};

std::string DatacentersText(const Role& role) {
  if (!role.datacenters.has_value()) return "ALL";
  return fmt::format("{}", fmt::join(*role.datacenters, ", "));
}

std::unexpected<CqlError> MissingRole(const ast::Name& role) {
  return Invalid(fmt::format("{} doesn't exist", ResourceText(Resource::Role(role.text))));
}

// Those that the statement names and the client may see, by name.
CqlResult<std::vector<const Role*>> VisibleRoles(const AccessContext& context,
                                                 const std::optional<ast::Name>& of,
                                                 bool recursive) {
  if (of.has_value() && context.roles.Find(of->text) == nullptr) return MissingRole(*of);
  std::vector<const Role*> roles;
  const bool sees_all = context.authority.Holds(Permission::kDescribe, Resource::AllRoles());
  if (of.has_value()) {
    if (!sees_all && !context.authority.IsMemberOf(of->text)) {
      return Refuse(ErrorCode::kUnauthorized,
                    fmt::format("You are not authorized to view roles granted to {} ", of->text));
    }
    roles = context.roles.RolesOf(of->text, recursive);
  } else if (sees_all) {
    for (const auto& [name, role] : context.roles.all()) roles.push_back(&role);
  } else {
    roles = context.roles.RolesOf(context.client.role, recursive);
  }
  std::ranges::sort(roles, {}, &Role::name);
  return roles;
}

// Adds the grants of one role on a resource, or on any; only those that were asked for.
void AddGrants(const Role& role, const std::optional<Resource>& resource, PermissionSet asked,
               Rows& rows) {
  for (const auto& [on, granted] : role.grants) {
    if (resource.has_value() && on != *resource) continue;
    for (const Permission permission : (granted & asked).Listed()) {
      rows.Text(role.name);
      rows.Text(role.name);
      rows.Text(ResourceText(on));
      rows.Text(PermissionName(permission));
      rows.EndRow();
    }
  }
}

CqlStatus CheckMayView(const AccessContext& context, const std::optional<ast::Name>& of) {
  const Authority& who = context.authority;
  if (who.Holds(Permission::kDescribe, Resource::AllRoles())) return {};
  if (of.has_value() &&
      (who.IsMemberOf(of->text) || who.Holds(Permission::kDescribe, Resource::Role(of->text)))) {
    return {};
  }
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("You are not authorized to view {}'s permissions",
                            of.has_value() ? std::string_view(of->text) : "everyone"));
}

}  // namespace

CqlResult<Outcome> ListRoles(const AccessContext& context, const ast::ListRoles& statement) {
  CQL_ASSIGN(const std::vector<const Role*> roles,
             VisibleRoles(context, statement.of, statement.recursive));
  if (roles.empty()) return Outcome{};
  Rows rows("roles");
  rows.Column("role")
      .Column("super", Simple(TypeId::kBoolean))
      .Column("login", Simple(TypeId::kBoolean))
      .Column("options", TextMap())
      .Column("datacenters");
  for (const Role* role : roles) {
    rows.Text(role->name);
    rows.Boolean(role->is_superuser);
    rows.Boolean(role->can_login);
    rows.EmptyMap();
    rows.Text(DatacentersText(*role));
    rows.EndRow();
  }
  return std::move(rows).Finish();
}

CqlResult<Outcome> ListUsers(const AccessContext& context) {
  CQL_ASSIGN(const std::vector<const Role*> roles, VisibleRoles(context, std::nullopt, true));
  if (roles.empty()) return Outcome{};
  Rows rows("users");
  rows.Column("name").Column("super", Simple(TypeId::kBoolean)).Column("datacenters");
  for (const Role* role : roles) {
    if (!role->can_login) continue;
    rows.Text(role->name);
    rows.Boolean(context.roles.IsSuperuser(role->name));
    rows.Text(DatacentersText(*role));
    rows.EndRow();
  }
  return std::move(rows).Finish();
}

CqlResult<Outcome> ListPermissions(const AccessContext& context,
                                   const ast::ListPermissions& statement) {
  std::vector<std::optional<Resource>> resources;  // none: any
  if (statement.resource.has_value()) {
    CQL_ASSIGN(const FoundResource found, LookUpResource(*statement.resource, context.schema,
                                                         context.roles, context.client.keyspace));
    if (!found.exists)
      return Invalid(fmt::format("{} doesn't exist", ResourceText(found.resource)));
    for (std::optional<Resource> at = found.resource; at.has_value(); at = ParentOf(*at)) {
      resources.push_back(at);
      if (!statement.recursive) break;
    }
    // The rows of a role are shown by path.
    std::ranges::sort(resources);
  } else {
    resources.emplace_back();
  }
  if (statement.of.has_value() && context.roles.Find(statement.of->text) == nullptr)
    return MissingRole(*statement.of);
  CQL_TRY(CheckMayView(context, statement.of));

  std::vector<const Role*> roles;
  if (statement.of.has_value()) {
    roles = context.roles.RolesOf(statement.of->text);
    std::ranges::sort(roles, {}, &Role::name);
  } else {
    for (const auto& [name, role] : context.roles.all()) roles.push_back(&role);
  }
  Rows rows("permissions");
  rows.Column("role").Column("username").Column("resource").Column("permission");
  const PermissionSet asked(statement.permissions);
  for (const Role* role : roles) {
    for (const auto& resource : resources) AddGrants(*role, resource, asked, rows);
  }
  Outcome outcome = std::move(rows).Finish();
  if (std::get<RowsOutcome>(outcome.result).rows == 0) return Outcome{};
  return outcome;
}

}  // namespace orrery::cassandra
