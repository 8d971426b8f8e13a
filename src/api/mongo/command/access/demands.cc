#include "api/mongo/command/access/demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "api/mongo/access/role_directory.h"
#include "api/mongo/command/fields.h"

namespace orrery::mongo {
namespace {

// Commands that demand one action of the collection that they name.
struct OneAction {
  std::string_view command;
  std::string_view action;
  bool of_database = false;  // of the database as a whole
};
constexpr auto kOneAction = std::to_array<OneAction>({
    {"find", "find"},
    {"aggregate", "find"},
    {"count", "find"},
    {"distinct", "find"},
    {"explain", "find"},
    {"mapReduce", "find"},
    {"insert", "insert"},
    {"delete", "remove"},
    {"create", "createCollection"},
    {"drop", "dropCollection"},
    {"createIndexes", "createIndex"},
    {"dropIndexes", "dropIndex"},
    {"listIndexes", "listIndexes"},
    {"collMod", "collMod"},
    {"collStats", "collStats"},
    {"validate", "validate"},
    {"listCollections", "listCollections", true},
    {"dropDatabase", "dropDatabase", true},
    {"dbStats", "dbStats", true},
    {"dbHash", "dbHash", true},
});

// Returns whether any statement of an update may insert.
bool MayUpsert(const Command& command) {
  const auto updates = command.Documents("updates", "update");
  if (!updates.has_value()) return true;
  return std::ranges::any_of(*updates, [](model::DocumentView statement) {
    const auto upsert = statement.Find("upsert");
    return upsert.has_value() && AsFlag(*upsert).value_or(true);
  });
}

bool HasFlag(model::DocumentView body, std::string_view name) {
  const auto found = body.Find(name);
  return found.has_value() && AsFlag(*found).value_or(true);
}

}  // namespace

std::optional<std::vector<Demand>> DemandsOf(const CommandContext& context) {
  const Command& command = context.command;
  const std::string_view name = command.name();
  model::ElementView target = command.target();
  if (name == "explain") {
    if (target.kind() != model::Kind::kObject || target.AsDocument().empty()) return std::nullopt;
    target = *target.AsDocument().begin();
  }
  const bool has_collection = target.kind() == model::Kind::kString;
  const std::string collection = has_collection ? std::string(target.AsString()) : std::string();
  const auto one = std::ranges::find(kOneAction, name, &OneAction::command);
  if (one != kOneAction.end()) {
    if (!one->of_database && !has_collection) return std::nullopt;
    return std::vector<Demand>{
        {one->action, context.database(), one->of_database ? std::string() : collection}};
  }
  if (!has_collection) return std::nullopt;
  if (name == "update") {
    std::vector<Demand> demands = {{"update", context.database(), collection}};
    if (MayUpsert(command)) demands.push_back({"insert", context.database(), collection});
    return demands;
  }
  if (name == "findAndModify" || name == "findandmodify") {
    const bool removes = HasFlag(context.body(), "remove");
    std::vector<Demand> demands = {{"find", context.database(), collection},
                                   {removes ? "remove" : "update", context.database(), collection}};
    if (HasFlag(context.body(), "upsert"))
      demands.push_back({"insert", context.database(), collection});
    return demands;
  }
  return std::nullopt;
}

Outcome CheckRights(const MongoServices& services, const Client& client, Action action,
                    const std::vector<Demand>& demands) {
  if (client.is_trusted) return {};
  const std::string& database = demands.front().database;
  std::vector<RoleGrant> roles;
  for (const Principal& principal : client.principals) {
    if (Allows(principal.roles, action, database)) return {};
    roles.insert(roles.end(), principal.roles.begin(), principal.roles.end());
  }
  if (!std::ranges::all_of(roles, IsBuiltInRole)) {
    const EffectiveRights rights = services.roles.Resolve(roles);
    if (Allows(rights.built_in, action, database) || Grants(rights.privileges, demands)) return {};
  }
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("not authorized on {} to execute command", database));
}

Outcome CheckMayRead(const MongoServices& services, const Client& client, const Namespace& name) {
  return CheckRights(services, client, Action::kRead, {{"find", name.database, name.collection}});
}

Outcome CheckMayWrite(const MongoServices& services, const Client& client, const Namespace& name) {
  return CheckRights(services, client, Action::kWrite,
                     {{"insert", name.database, name.collection},
                      {"update", name.database, name.collection},
                      {"remove", name.database, name.collection}});
}

}  // namespace orrery::mongo
