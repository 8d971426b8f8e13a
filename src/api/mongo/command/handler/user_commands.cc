// createUser, updateUser, dropUser, usersInfo, grantRolesToUser and revokeRolesFromUser.
#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/role_arguments.h"

namespace orrery::mongo {
namespace {

Answer<std::string> UserName(const CommandContext& context) {
  const model::ElementView target = context.command.target();
  if (target.kind() != model::Kind::kString || target.AsString().empty())
    return Refuse(ErrorCode::kBadValue, "User document needs 'user' field to be non-empty");
  return std::string(target.AsString());
}

std::vector<UserRecord>::iterator FindIn(std::vector<UserRecord>& users, std::string_view name,
                                         std::string_view database) {
  return std::ranges::find_if(users, [&](const UserRecord& user) {
    return user.who.user == name && user.who.database == database;
  });
}

std::unexpected<MongoError> UserNotFound(std::string_view name, std::string_view database) {
  return Refuse(ErrorCode::kUserNotFound, fmt::format("User '{}@{}' not found", name, database));
}

CommandReply CreateUser(CommandContext& context) {
  const Fields fields(context.body(), "createUser");
  MONGO_TRY(fields.CheckKnown({"pwd", "customData", "roles", "digestPassword", "mechanisms",
                               "authenticationRestrictions"}));
  MONGO_ASSIGN(const std::string name, UserName(context));
  MONGO_ASSIGN(const std::string password, fields.RequiredText("pwd"));
  MONGO_ASSIGN(const auto list, fields.Array("roles"));
  if (!list.has_value())
    return Refuse(40414, "BSON field 'createUser.roles' is missing but a required field");
  UserRecord record;
  record.who = {.user = name, .database = context.database(), .roles = {}};
  MONGO_ASSIGN(record.who.roles, ReadRoleNames(context, list));
  MONGO_ASSIGN(record.secrets, context.services.users.SecretsOf(name, password));
  MONGO_ASSIGN(const auto data, fields.Object("customData"));
  if (data.has_value()) record.custom_data = model::Document::Trusted(std::string(data->bson()));
  record.user_id = model::Value::Binary(context.services.random_bytes(16), 4);
  MONGO_TRY(context.services.users.Change([&](std::vector<UserRecord>& users) -> Outcome {
    if (FindIn(users, name, context.database()) != users.end()) {
      return Refuse(51003, fmt::format("User \"{}@{}\" already exists", name, context.database()));
    }
    users.push_back(record);
    return {};
  }));
  return model::DocumentBuilder();
}

CommandReply UpdateUser(CommandContext& context) {
  const Fields fields(context.body(), "updateUser");
  MONGO_TRY(fields.CheckKnown({"pwd", "customData", "roles", "digestPassword", "mechanisms",
                               "authenticationRestrictions"}));
  MONGO_ASSIGN(const std::string name, UserName(context));
  MONGO_ASSIGN(const std::optional<std::string> password, fields.Text("pwd"));
  MONGO_ASSIGN(const auto list, fields.Array("roles"));
  MONGO_ASSIGN(const auto data, fields.Object("customData"));
  MONGO_ASSIGN(const std::vector<RoleGrant> roles, ReadRoleNames(context, list));
  std::optional<std::array<ScramSecret, 2>> secrets;
  if (password.has_value()) {
    MONGO_ASSIGN(secrets, context.services.users.SecretsOf(name, *password));
  }
  MONGO_TRY(context.services.users.Change([&](std::vector<UserRecord>& users) -> Outcome {
    const auto found = FindIn(users, name, context.database());
    if (found == users.end()) return UserNotFound(name, context.database());
    if (list.has_value()) found->who.roles = roles;
    if (secrets.has_value()) found->secrets = *secrets;
    if (data.has_value()) found->custom_data = model::Document::Trusted(std::string(data->bson()));
    return {};
  }));
  return model::DocumentBuilder();
}

CommandReply DropUser(CommandContext& context) {
  MONGO_ASSIGN(const std::string name, UserName(context));
  MONGO_TRY(context.services.users.Change([&](std::vector<UserRecord>& users) -> Outcome {
    const auto found = FindIn(users, name, context.database());
    if (found == users.end()) return UserNotFound(name, context.database());
    users.erase(found);
    return {};
  }));
  return model::DocumentBuilder();
}

CommandReply ChangeRoles(CommandContext& context, bool grants) {
  const Fields fields(context.body(), grants ? "grantRolesToUser" : "revokeRolesFromUser");
  MONGO_ASSIGN(const std::string name, UserName(context));
  MONGO_ASSIGN(const auto list, fields.Array("roles"));
  MONGO_ASSIGN(const std::vector<RoleGrant> roles, ReadRoleNames(context, list));
  MONGO_TRY(context.services.users.Change([&](std::vector<UserRecord>& users) -> Outcome {
    const auto found = FindIn(users, name, context.database());
    if (found == users.end()) return UserNotFound(name, context.database());
    for (const RoleGrant& role : roles) {
      std::erase(found->who.roles, role);
      if (grants) found->who.roles.push_back(role);
    }
    return {};
  }));
  return model::DocumentBuilder();
}
CommandReply GrantRoles(CommandContext& context) { return ChangeRoles(context, true); }
CommandReply RevokeRoles(CommandContext& context) { return ChangeRoles(context, false); }

CommandReply UsersInfo(CommandContext& context) {
  const model::ElementView target = context.command.target();
  const auto is_wanted = [&](const UserRecord& user) {
    if (target.kind() == model::Kind::kString)
      return user.who.user == target.AsString() && user.who.database == context.database();
    if (target.kind() == model::Kind::kObject) {
      if (target.AsDocument().Find("forAllDBs").has_value()) return true;
      return target.AsDocument().Get("user") == model::Value::String(user.who.user) &&
             target.AsDocument().Get("db") == model::Value::String(user.who.database);
    }
    return user.who.database == context.database();
  };
  model::DocumentBuilder reply;
  reply.OpenArray("users");
  size_t count = 0;
  for (const UserRecord& user : context.services.users.List()) {
    if (!is_wanted(user)) continue;
    reply.OpenObject(std::to_string(count++));
    reply.AppendString("_id", user.who.database + "." + user.who.user);
    reply.Append("userId", user.user_id).AppendString("user", user.who.user);
    reply.AppendString("db", user.who.database);
    if (user.custom_data.has_value()) reply.AppendDocument("customData", *user.custom_data);
    reply.OpenArray("roles");
    for (size_t i = 0; i < user.who.roles.size(); ++i) {
      reply.OpenObject(std::to_string(i)).AppendString("role", user.who.roles[i].role);
      reply.AppendString("db", user.who.roles[i].database).Close();
    }
    reply.Close().OpenArray("mechanisms").AppendString("0", "SCRAM-SHA-1");
    reply.AppendString("1", "SCRAM-SHA-256").Close().Close();
  }
  reply.Close();
  return reply;
}

}  // namespace

std::vector<CommandEntry> UserCommands() {
  const auto user = [](std::string_view name, CommandHandler handler) {
    return CommandEntry{.name = name, .action = Action::kManageUsers, .handler = handler};
  };
  return {user("createUser", CreateUser),       user("updateUser", UpdateUser),
          user("dropUser", DropUser),           user("usersInfo", UsersInfo),
          user("grantRolesToUser", GrantRoles), user("revokeRolesFromUser", RevokeRoles)};
}

}  // namespace orrery::mongo
