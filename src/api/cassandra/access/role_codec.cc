#include "api/cassandra/access/role_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/schema/codec/fields.h"
#include "model/document/document_builder.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kApi = "cassandra-roles";
constexpr int32_t kVersion = 1;

std::vector<std::string> Listed(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> PermissionNames(PermissionSet permissions) {
  std::vector<std::string> names;
  for (const ast::Permission permission : permissions.Listed())
    names.emplace_back(ast::PermissionName(permission));
  return names;
}

void AppendRole(model::DocumentBuilder& builder, const Role& role) {
  builder.AppendString("name", role.name);
  if (role.is_superuser) builder.AppendBool("superuser", true);
  if (role.can_login) builder.AppendBool("login", true);
  if (role.salted_hash.has_value()) builder.AppendString("saltedHash", *role.salted_hash);
  if (!role.member_of.empty()) AppendStrings(builder, "memberOf", Listed(role.member_of));
  if (role.datacenters.has_value())
    AppendStrings(builder, "datacenters", Listed(*role.datacenters));
  if (role.grants.empty()) return;
  builder.OpenArray("grants");
  size_t i = 0;
  for (const auto& [resource, permissions] : role.grants) {
    builder.OpenObject(std::to_string(i++)).AppendString("resource", resource.path);
    AppendStrings(builder, "permissions", PermissionNames(permissions));
    builder.Close();
  }
  builder.Close();
}

Result<PermissionSet> ReadPermissions(const Fields& fields) {
  PermissionSet permissions;
  ORRERY_ASSIGN(const std::vector<std::string> names, fields.Strings("permissions"));
  for (const std::string& name : names) {
    const auto found = std::ranges::find(ast::kAllPermissions, name, ast::PermissionName);
    if (found == std::end(ast::kAllPermissions))
      return Fail(Code::kCorruption, fmt::format("'{}' is no permission", name));
    permissions.Add(*found);
  }
  return permissions;
}

Status ReadGrants(const Fields& fields, Role& role) {
  ORRERY_ASSIGN(const std::vector<Fields> grants, fields.Objects("grants"));
  for (const Fields& grant : grants) {
    ORRERY_ASSIGN(std::string path, grant.String("resource"));
    Resource resource{std::move(path)};
    if (!TakeApart(resource).has_value())
      return Fail(Code::kCorruption, fmt::format("'{}' is no resource", resource.path));
    ORRERY_ASSIGN(const PermissionSet permissions, ReadPermissions(grant));
    if (!permissions.empty()) role.grants[std::move(resource)] = permissions;
  }
  return {};
}

Result<Role> ReadRole(const Fields& fields) {
  Role role;
  ORRERY_ASSIGN(role.name, fields.String("name"));
  ORRERY_ASSIGN(role.is_superuser, fields.Bool("superuser"));
  ORRERY_ASSIGN(role.can_login, fields.Bool("login"));
  ORRERY_ASSIGN(role.salted_hash, fields.OptionalString("saltedHash"));
  ORRERY_ASSIGN(const std::vector<std::string> member_of, fields.Strings("memberOf"));
  role.member_of.insert(member_of.begin(), member_of.end());
  if (fields.Has("datacenters")) {
    ORRERY_ASSIGN(const std::vector<std::string> datacenters, fields.Strings("datacenters"));
    role.datacenters.emplace(datacenters.begin(), datacenters.end());
  }
  ORRERY_TRY(ReadGrants(fields, role));
  return role;
}

Result<RoleSet> Decode(const Fields& fields) {
  ORRERY_ASSIGN(const int64_t version,
                fields.Integer("version", 1, std::numeric_limits<int64_t>::max()));
  if (version > kVersion) {
    return Fail(Code::kUnsupported,
                fmt::format("version {} wrote it, this one knows {}", version, kVersion));
  }
  RoleSet roles;
  ORRERY_ASSIGN(const std::vector<Fields> entries, fields.Objects("roles"));
  for (const Fields& entry : entries) {
    ORRERY_ASSIGN(Role role, ReadRole(entry));
    if (roles.Find(role.name) != nullptr)
      return Fail(Code::kCorruption, fmt::format("role '{}' is there twice", role.name));
    roles.Put(std::move(role));
  }
  return roles;
}

}  // namespace

bool HoldsRoles(const std::optional<model::Document>& extra) {
  if (!extra.has_value()) return false;
  const auto api = extra->view().Find("api");
  return api.has_value() && api->kind() == model::Kind::kString && api->AsString() == kApi;
}

model::Document EncodeRoles(const RoleSet& roles) {
  model::DocumentBuilder builder;
  builder.AppendString("api", kApi).AppendInt32("version", kVersion).OpenArray("roles");
  size_t i = 0;
  for (const auto& [name, role] : roles.all()) {
    builder.OpenObject(std::to_string(i++));
    AppendRole(builder, role);
    builder.Close();
  }
  builder.Close();
  return std::move(builder).Finish();
}

Result<RoleSet> DecodeRoles(const model::Document& document) {
  auto decoded = Decode(Fields(document.view()));
  if (!decoded.has_value())
    return Fail(std::move(decoded).error().Annotate("the stored roles cannot be read"));
  return decoded;
}

}  // namespace orrery::cassandra
