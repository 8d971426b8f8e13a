// createRole, updateRole, dropRole, rolesInfo and the commands that change what a role grants.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "api/mongo/access/role_codec.h"
#include "api/mongo/access/role_directory.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/role_arguments.h"
#include "api/mongo/command/write_reply.h"

namespace orrery::mongo {
namespace {

constexpr int32_t kInvalidRoleModification = 49;

std::string NameText(const RoleGrant& role) { return role.role + "@" + role.database; }

std::unexpected<MongoError> NoSuchRole(const RoleGrant& role) {
  return Refuse(ErrorCode::kRoleNotFound, fmt::format("Could not find role: {}", NameText(role)));
}

Answer<RoleGrant> TargetRole(const CommandContext& context) {
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kString || target.AsString().empty())
    return Refuse(ErrorCode::kBadValue, "Role name must be non-empty");
  return RoleGrant{.role = std::string(target.AsString()), .database = context.database()};
}

// The role that a command changes: it must not be a built-in one.
Answer<RoleGrant> ChangedRole(const CommandContext& context) {
  MONGO_ASSIGN(RoleGrant role, TargetRole(context));
  if (IsBuiltInRole(role)) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("{} is a built-in role and cannot be modified", NameText(role)));
  }
  return role;
}

Answer<std::vector<Privilege>> PrivilegesOf(const CommandContext& context,
                                            std::optional<model::DocumentView> list) {
  std::vector<Privilege> privileges;
  if (!list.has_value()) return privileges;
  for (const model::ElementView element : *list) {
    if (element.kind() != model::Kind::kObject)
      return Refuse(ErrorCode::kFailedToParse, "privileges must be objects");
    MONGO_ASSIGN(const Privilege privilege, ReadPrivilege(element.AsDocument()));
    const bool is_elsewhere = privilege.resource.any || privilege.resource.cluster ||
                              privilege.resource.database != context.database();
    if (is_elsewhere && context.database() != "admin") {
      return Refuse(kInvalidRoleModification,
                    fmt::format("Roles on the '{}' database cannot be granted privileges that "
                                "target other databases or the cluster",
                                context.database()));
    }
    AddPrivileges(privileges, {&privilege, 1});
  }
  return privileges;
}

// The roles that a role is to inherit from.
Answer<std::vector<RoleGrant>> InheritedRoles(const CommandContext& context, const RoleGrant& role,
                                              std::optional<model::DocumentView> list) {
  auto roles = ReadRoleNames(context, list);
  if (!roles.has_value()) {
    return std::unexpected(std::move(roles).error().Prefixed(
        fmt::format("Cannot grant roles to '{}': ", NameText(role))));
  }
  for (const RoleGrant& inherited : *roles) {
    if (inherited.database != context.database() && context.database() != "admin") {
      return Refuse(kInvalidRoleModification,
                    fmt::format("Roles on the '{}' database cannot be granted roles from other "
                                "databases",
                                context.database()));
    }
  }
  return roles;
}

Outcome CheckNoCycle(const RoleGrant& role, const std::vector<RoleRecord>& roles) {
  const auto record = std::ranges::find(roles, role, &RoleRecord::name);
  if (record == roles.end()) return {};
  const EffectiveRights rights = ResolveRoles(record->roles, roles);
  const auto is_among = [&](const std::vector<RoleGrant>& list) {
    return std::ranges::find(list, role) != list.end();
  };
  if (!is_among(record->roles) && !is_among(rights.roles)) return {};
  return Refuse(kInvalidRoleModification,
                fmt::format("Granting roles to {} would introduce a cycle in the role graph",
                            NameText(role)));
}

CommandReply CreateRole(CommandContext& context) {
  const Fields fields(context.body(), "createRole");
  MONGO_TRY(fields.CheckKnown({"privileges", "roles", "authenticationRestrictions"}));
  MONGO_ASSIGN(const RoleGrant name, TargetRole(context));
  if (IsBuiltInRole(name)) {
    return Refuse(ErrorCode::kBadValue,
                  "Cannot create roles with the same name as a built-in role");
  }
  MONGO_ASSIGN(const auto privileges, fields.Array("privileges"));
  MONGO_ASSIGN(const auto roles, fields.Array("roles"));
  for (const auto& [field, list] :
       {std::pair("privileges", privileges), std::pair("roles", roles)}) {
    if (!list.has_value())
      return Refuse(
          40414, fmt::format("BSON field 'createRole.{}' is missing but a required field", field));
  }
  RoleRecord record{.name = name};
  MONGO_ASSIGN(record.privileges, PrivilegesOf(context, privileges));
  MONGO_ASSIGN(record.roles, InheritedRoles(context, name, roles));
  MONGO_TRY(context.services.roles.Change([&](std::vector<RoleRecord>& list) -> Outcome {
    if (std::ranges::find(list, name, &RoleRecord::name) != list.end())
      return Refuse(51002, fmt::format("Role \"{}\" already exists", NameText(name)));
    list.push_back(record);
    return CheckNoCycle(name, list);
  }));
  return model::DocumentBuilder();
}

// Changes a role that exists.
CommandReply ChangeRole(CommandContext& context, const RoleGrant& name,
                        const std::function<void(RoleRecord&)>& change) {
  MONGO_TRY(context.services.roles.Change([&](std::vector<RoleRecord>& list) -> Outcome {
    const auto found = std::ranges::find(list, name, &RoleRecord::name);
    if (found == list.end()) return NoSuchRole(name);
    change(*found);
    return CheckNoCycle(name, list);
  }));
  return model::DocumentBuilder();
}

CommandReply UpdateRole(CommandContext& context) {
  const Fields fields(context.body(), "updateRole");
  MONGO_TRY(fields.CheckKnown({"privileges", "roles", "authenticationRestrictions"}));
  MONGO_ASSIGN(const RoleGrant name, ChangedRole(context));
  MONGO_ASSIGN(const auto privileges, fields.Array("privileges"));
  MONGO_ASSIGN(const auto roles, fields.Array("roles"));
  if (!privileges.has_value() && !roles.has_value()) {
    return Refuse(ErrorCode::kBadValue, "Must specify at least one field to update in updateRole");
  }
  MONGO_ASSIGN(const std::vector<Privilege> granted, PrivilegesOf(context, privileges));
  MONGO_ASSIGN(const std::vector<RoleGrant> inherited, InheritedRoles(context, name, roles));
  return ChangeRole(context, name, [&](RoleRecord& record) {
    if (privileges.has_value()) record.privileges = granted;
    if (roles.has_value()) record.roles = inherited;
  });
}

CommandReply GrantPrivileges(CommandContext& context) {
  const Fields fields(context.body(), context.command.name());
  MONGO_TRY(fields.CheckKnown({"privileges"}));
  MONGO_ASSIGN(const RoleGrant name, ChangedRole(context));
  MONGO_ASSIGN(const auto list, fields.Array("privileges"));
  MONGO_ASSIGN(const std::vector<Privilege> privileges, PrivilegesOf(context, list));
  const bool grants = context.command.name() == "grantPrivilegesToRole";
  return ChangeRole(context, name, [&](RoleRecord& record) {
    if (grants) {
      AddPrivileges(record.privileges, privileges);
    } else {
      RemovePrivileges(record.privileges, privileges);
    }
  });
}

CommandReply GrantRolesToRole(CommandContext& context) {
  const Fields fields(context.body(), context.command.name());
  MONGO_TRY(fields.CheckKnown({"roles"}));
  MONGO_ASSIGN(const RoleGrant name, ChangedRole(context));
  MONGO_ASSIGN(const auto list, fields.Array("roles"));
  MONGO_ASSIGN(const std::vector<RoleGrant> roles, InheritedRoles(context, name, list));
  const bool grants = context.command.name() == "grantRolesToRole";
  return ChangeRole(context, name, [&](RoleRecord& record) {
    for (const RoleGrant& role : roles) {
      std::erase(record.roles, role);
      if (grants) record.roles.push_back(role);
    }
  });
}

// Drops roles, and takes them from the roles and users that have them.
Outcome DropRoles(CommandContext& context, const std::vector<RoleGrant>& dropped) {
  const auto is_dropped = [&](const RoleGrant& role) {
    return std::ranges::find(dropped, role) != dropped.end();
  };
  MONGO_TRY(context.services.users.Change([&](std::vector<UserRecord>& users) -> Outcome {
    for (UserRecord& user : users) std::erase_if(user.who.roles, is_dropped);
    return {};
  }));
  return context.services.roles.Change([&](std::vector<RoleRecord>& list) -> Outcome {
    std::erase_if(list, [&](const RoleRecord& role) { return is_dropped(role.name); });
    for (RoleRecord& role : list) std::erase_if(role.roles, is_dropped);
    return {};
  });
}

CommandReply DropRole(CommandContext& context) {
  MONGO_ASSIGN(const RoleGrant name, ChangedRole(context));
  if (!context.services.roles.Find(name).has_value()) return NoSuchRole(name);
  MONGO_TRY(DropRoles(context, {name}));
  return model::DocumentBuilder();
}

CommandReply DropAllRoles(CommandContext& context) {
  std::vector<RoleGrant> dropped;
  for (const RoleRecord& role : context.services.roles.List()) {
    if (role.name.database == context.database()) dropped.push_back(role.name);
  }
  MONGO_TRY(DropRoles(context, dropped));
  model::DocumentBuilder reply;
  AppendCount(reply, "n", static_cast<int64_t>(dropped.size()));
  return reply;
}

void AppendRole(model::DocumentBuilder& row, const RoleRecord& role,
                const std::vector<RoleRecord>& known, bool with_privileges) {
  EffectiveRights rights = ResolveRoles(role.roles, known);
  std::vector<RoleGrant> inherited = role.roles;
  inherited.insert(inherited.end(), rights.roles.begin(), rights.roles.end());
  row.AppendString("_id", role.name.database + "." + role.name.role);
  row.AppendString("role", role.name.role).AppendString("db", role.name.database);
  if (with_privileges) AppendPrivileges(row, "privileges", role.privileges);
  AppendGrants(row, "roles", role.roles);
  AppendGrants(row, "inheritedRoles", inherited);
  if (with_privileges) {
    std::vector<Privilege> all = role.privileges;
    AddPrivileges(all, rights.privileges);
    AppendPrivileges(row, "inheritedPrivileges", all);
  }
  row.AppendBool("isBuiltin", false);
}

void AppendBuiltInRole(model::DocumentBuilder& row, const RoleGrant& role) {
  row.AppendString("role", role.role).AppendString("db", role.database);
  row.AppendBool("isBuiltin", true).OpenArray("roles").Close();
  row.OpenArray("inheritedRoles").Close();
}

CommandReply RolesInfo(CommandContext& context) {
  const Fields fields(context.body(), "rolesInfo");
  MONGO_TRY(
      fields.CheckKnown({"showPrivileges", "showBuiltinRoles", "showAuthenticationRestrictions"}));
  MONGO_ASSIGN(const bool with_built_in, fields.Flag("showBuiltinRoles"));
  const auto shown = context.body().Find("showPrivileges");
  const bool with_privileges = shown.has_value() && AsFlag(*shown).value_or(false);
  const model::ElementView target = context.command.target();
  std::vector<RoleGrant> wanted;
  const auto add = [&](const model::ElementView& name) -> Outcome {
    if (name.kind() == model::Kind::kString) {
      wanted.push_back({std::string(name.AsString()), context.database()});
      return {};
    }
    if (name.kind() != model::Kind::kObject)
      return Refuse(ErrorCode::kBadValue, "Role names must be either strings or objects");
    const Fields parts(name.AsDocument(), "rolesInfo", Fields::Of::kPart);
    MONGO_ASSIGN(std::string role, parts.RequiredText("role"));
    MONGO_ASSIGN(std::string database, parts.RequiredText("db"));
    wanted.push_back({std::move(role), std::move(database)});
    return {};
  };
  const bool is_all = AsWhole(target).has_value();
  if (target.kind() == model::Kind::kArray) {
    for (const model::ElementView name : target.AsDocument()) MONGO_TRY(add(name));
  } else if (!is_all) {
    MONGO_TRY(add(target));
  }
  const std::vector<RoleRecord> known = context.services.roles.List();
  model::DocumentBuilder reply;
  reply.OpenArray("roles");
  size_t count = 0;
  const auto is_wanted = [&](const RoleGrant& role) {
    return is_all ? role.database == context.database()
                  : std::ranges::find(wanted, role) != wanted.end();
  };
  for (const RoleGrant& role : BuiltInRoles(context.database())) {
    if (is_all ? !with_built_in : !is_wanted(role)) continue;
    reply.OpenObject(std::to_string(count++));
    AppendBuiltInRole(reply, role);
    reply.Close();
  }
  for (const RoleRecord& role : known) {
    if (!is_wanted(role.name)) continue;
    reply.OpenObject(std::to_string(count++));
    AppendRole(reply, role, known, with_privileges);
    reply.Close();
  }
  reply.Close();
  return reply;
}

}  // namespace

Answer<std::vector<RoleGrant>> ReadRoleNames(const CommandContext& context,
                                             std::optional<model::DocumentView> list) {
  std::vector<RoleGrant> roles;
  if (!list.has_value()) return roles;
  for (const model::ElementView element : *list) {
    RoleGrant role{.role = {}, .database = context.database()};
    if (element.kind() == model::Kind::kString) {
      role.role = element.AsString();
    } else if (element.kind() == model::Kind::kObject) {
      const Fields fields(element.AsDocument(), "roles", Fields::Of::kPart);
      MONGO_ASSIGN(role.role, fields.RequiredText("role"));
      MONGO_ASSIGN(role.database, fields.RequiredText("db"));
    } else {
      return Refuse(ErrorCode::kBadValue, "Role names must be either strings or objects");
    }
    if (!IsBuiltInRole(role) && !context.services.roles.Find(role).has_value())
      return NoSuchRole(role);
    roles.push_back(std::move(role));
  }
  return roles;
}

std::vector<CommandEntry> RoleCommands() {
  const auto role = [](std::string_view name, CommandHandler handler) {
    return CommandEntry{.name = name, .action = Action::kManageUsers, .handler = handler};
  };
  return {role("createRole", CreateRole),
          role("updateRole", UpdateRole),
          role("dropRole", DropRole),
          role("dropAllRolesFromDatabase", DropAllRoles),
          role("grantPrivilegesToRole", GrantPrivileges),
          role("revokePrivilegesFromRole", GrantPrivileges),
          role("grantRolesToRole", GrantRolesToRole),
          role("revokeRolesFromRole", GrantRolesToRole),
          role("rolesInfo", RolesInfo)};
}

}  // namespace orrery::mongo
