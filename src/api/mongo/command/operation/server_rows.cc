#include "api/mongo/command/operation/server_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/operation/operation_rows.h"

namespace orrery::mongo {
namespace {

bool IsSet(const model::Value& argument, std::string_view option) {
  const model::Value* const found = argument.Find(option);
  return found != nullptr && found->kind() == model::Kind::kBool && found->AsBool();
}

Answer<ServerRows> CurrentOpRows(const CommandContext& context, const Namespace& name,
                                 const model::Value& argument) {
  static constexpr std::array<std::string_view, 7> kOptions = {
      "allUsers", "idleConnections", "idleCursors",   "idleSessions",
      "localOps", "truncateOps",     "targetAllNodes"};
  if (name.database != "admin" || !name.collection.starts_with('$')) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  "$currentOp must be run against the 'admin' database with {aggregate: 1}");
  }
  for (const model::Field& option : argument.AsFields()) {
    if (std::ranges::find(kOptions, option.name) == kOptions.end()) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("Unrecognized option '{}' in $currentOp stage.", option.name));
    }
  }
  const bool all = IsSet(argument, "allUsers");
  if (all) MONGO_TRY(CheckMay(context, Action::kMonitor, "admin"));
  return OperationRows(context, !all);
}

Answer<ServerRows> ListedSessions(const CommandContext& context, const model::Value& argument) {
  const bool all = IsSet(argument, "allUsers");
  if (all) MONGO_TRY(CheckMay(context, Action::kMonitor, "admin"));
  return SessionRows(context, !all);
}

}  // namespace

Answer<ServerRows> ReadServerRows(const CommandContext& context, const Namespace& name,
                                  std::string_view stage, const model::Value& argument) {
  if (stage == "$currentOp") return CurrentOpRows(context, name, argument);
  if (stage == "$listLocalSessions") {
    if (!name.collection.starts_with('$')) {
      return Refuse(ErrorCode::kInvalidNamespace,
                    "$listLocalSessions must be run against the database with {aggregate: 1}, not "
                    "a collection");
    }
    return ListedSessions(context, argument);
  }
  if (stage == "$listSessions") {
    if (name.database != "config" || name.collection != "system.sessions") {
      return Refuse(ErrorCode::kInvalidNamespace,
                    "$listSessions may only be run against config.system.sessions");
    }
    return ListedSessions(context, argument);
  }
  return ServerRows(std::nullopt);
}

}  // namespace orrery::mongo
