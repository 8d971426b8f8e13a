#include "api/mongo/access/role_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::mongo {
namespace {

constexpr std::string_view kRolesExtra = "mongo";

std::string RoleText(model::DocumentView document, std::string_view name) {
  const auto found = document.Find(name);
  const bool is_text = found.has_value() && found->kind() == model::Kind::kString;
  return is_text ? std::string(found->AsString()) : std::string();
}

bool IsTrueAt(model::DocumentView document, std::string_view name) {
  const auto found = document.Find(name);
  return found.has_value() && found->kind() == model::Kind::kBool && found->AsBool();
}

std::vector<RoleGrant> ReadGrants(model::DocumentView entry) {
  std::vector<RoleGrant> grants;
  const auto list = entry.Find("roles");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return grants;
  for (const model::ElementView role : list->AsDocument()) {
    if (role.kind() != model::Kind::kObject) continue;
    grants.push_back({RoleText(role.AsDocument(), "role"), RoleText(role.AsDocument(), "db")});
  }
  return grants;
}

}  // namespace

Answer<Privilege> ReadPrivilege(model::DocumentView privilege) {
  const auto resource = privilege.Find("resource");
  if (!resource.has_value() || resource->kind() != model::Kind::kObject)
    return Refuse(ErrorCode::kFailedToParse, "missing resource field");
  const auto actions = privilege.Find("actions");
  if (!actions.has_value() || actions->kind() != model::Kind::kArray)
    return Refuse(ErrorCode::kFailedToParse, "missing actions field");
  Privilege made;
  const model::DocumentView where = resource->AsDocument();
  made.resource.any = IsTrueAt(where, "anyResource");
  made.resource.cluster = IsTrueAt(where, "cluster");
  if (!made.resource.any && !made.resource.cluster) {
    const auto database = where.Find("db");
    const auto collection = where.Find("collection");
    if (!database.has_value() || database->kind() != model::Kind::kString ||
        !collection.has_value() || collection->kind() != model::Kind::kString) {
      return Refuse(ErrorCode::kBadValue,
                    "resource must set 'db' and 'collection', or 'cluster' or 'anyResource'");
    }
    made.resource.database = database->AsString();
    made.resource.collection = collection->AsString();
  }
  for (const model::ElementView action : actions->AsDocument()) {
    const std::string name =
        action.kind() == model::Kind::kString ? std::string(action.AsString()) : std::string();
    if (!IsKnownAction(name))
      return Refuse(ErrorCode::kBadValue, fmt::format("Unrecognized action: {}", name));
    made.actions.push_back(name);
  }
  std::ranges::sort(made.actions);
  const auto repeated = std::ranges::unique(made.actions);
  made.actions.erase(repeated.begin(), repeated.end());
  return made;
}

void AppendPrivileges(model::DocumentBuilder& builder, std::string_view name,
                      const std::vector<Privilege>& privileges) {
  builder.OpenArray(name);
  for (size_t i = 0; i < privileges.size(); ++i) {
    const Resource& resource = privileges[i].resource;
    builder.OpenObject(std::to_string(i)).OpenObject("resource");
    if (resource.any) {
      builder.AppendBool("anyResource", true);
    } else if (resource.cluster) {
      builder.AppendBool("cluster", true);
    } else {
      builder.AppendString("db", resource.database);
      builder.AppendString("collection", resource.collection);
    }
    builder.Close().OpenArray("actions");
    for (size_t a = 0; a < privileges[i].actions.size(); ++a)
      builder.AppendString(std::to_string(a), privileges[i].actions[a]);
    builder.Close().Close();
  }
  builder.Close();
}

void AppendGrants(model::DocumentBuilder& builder, std::string_view name,
                  const std::vector<RoleGrant>& roles) {
  builder.OpenArray(name);
  for (size_t i = 0; i < roles.size(); ++i) {
    builder.OpenObject(std::to_string(i)).AppendString("role", roles[i].role);
    builder.AppendString("db", roles[i].database).Close();
  }
  builder.Close();
}

std::vector<RoleRecord> ReadRoleRecords(const std::optional<model::Document>& extra) {
  std::vector<RoleRecord> roles;
  const auto kept = extra.has_value() ? extra->view().Find(kRolesExtra) : std::nullopt;
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return roles;
  const auto list = kept->AsDocument().Find("roles");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return roles;
  for (const model::ElementView entry : list->AsDocument()) {
    if (entry.kind() != model::Kind::kObject) continue;
    const model::DocumentView fields = entry.AsDocument();
    RoleRecord record;
    record.name = {RoleText(fields, "role"), RoleText(fields, "db")};
    record.roles = ReadGrants(fields);
    const auto privileges = fields.Find("privileges");
    if (privileges.has_value() && privileges->kind() == model::Kind::kArray) {
      for (const model::ElementView privilege : privileges->AsDocument()) {
        if (privilege.kind() != model::Kind::kObject) continue;
        auto read = ReadPrivilege(privilege.AsDocument());
        if (read.has_value()) record.privileges.push_back(*std::move(read));
      }
    }
    roles.push_back(std::move(record));
  }
  return roles;
}

model::Document WithRoleRecords(const std::optional<model::Document>& extra,
                                const std::vector<RoleRecord>& roles) {
  model::DocumentBuilder builder;
  const model::DocumentView former = extra.has_value() ? extra->view() : model::DocumentView();
  for (const model::ElementView field : former) {
    if (field.name() != kRolesExtra) builder.Append(field.name(), field);
  }
  builder.OpenObject(kRolesExtra);
  if (const auto kept = former.Find(kRolesExtra); kept && kept->kind() == model::Kind::kObject) {
    for (const model::ElementView field : kept->AsDocument()) {
      if (field.name() != "roles") builder.Append(field.name(), field);
    }
  }
  builder.OpenArray("roles");
  for (size_t i = 0; i < roles.size(); ++i) {
    builder.OpenObject(std::to_string(i)).AppendString("role", roles[i].name.role);
    builder.AppendString("db", roles[i].name.database);
    AppendPrivileges(builder, "privileges", roles[i].privileges);
    AppendGrants(builder, "roles", roles[i].roles);
    builder.Close();
  }
  builder.Close().Close();
  return std::move(builder).Finish();
}

}  // namespace orrery::mongo
