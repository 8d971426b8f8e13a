#include "api/mongo/command/concerns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/mongo/command/fields.h"

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 5> kReadLevels = {"local", "majority", "linearizable",
                                                         "available", "snapshot"};
constexpr std::array<std::string_view, 7> kReaders = {"find",     "getMore", "aggregate", "count",
                                                      "distinct", "explain", "mapReduce"};
constexpr std::array<std::string_view, 5> kSnapshotReaders = {"find", "getMore", "aggregate",
                                                              "distinct", "explain"};
// Commands that write, in the order of their families.
constexpr std::array<std::string_view, 40> kWriters = {"insert",
                                                       "update",
                                                       "delete",
                                                       "findAndModify",
                                                       "findandmodify",
                                                       "bulkWrite",
                                                       "aggregate",
                                                       "mapReduce",
                                                       "create",
                                                       "drop",
                                                       "dropDatabase",
                                                       "collMod",
                                                       "convertToCapped",
                                                       "cloneCollectionAsCapped",
                                                       "renameCollection",
                                                       "createIndexes",
                                                       "dropIndexes",
                                                       "deleteIndexes",
                                                       "createUser",
                                                       "updateUser",
                                                       "dropUser",
                                                       "dropAllUsersFromDatabase",
                                                       "grantRolesToUser",
                                                       "revokeRolesFromUser",
                                                       "createRole",
                                                       "updateRole",
                                                       "dropRole",
                                                       "dropAllRolesFromDatabase",
                                                       "grantRolesToRole",
                                                       "revokeRolesFromRole",
                                                       "grantPrivilegesToRole",
                                                       "revokePrivilegesFromRole",
                                                       "commitTransaction",
                                                       "abortTransaction",
                                                       "shardCollection",
                                                       "customAction",
                                                       "setFeatureCompatibilityVersion",
                                                       "setDefaultRWConcern",
                                                       "explain",
                                                       "reIndex"};

bool IsListed(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<model::DocumentView> ConcernOf(const CommandContext& context,
                                             std::string_view field) {
  const auto concern = context.body().Find(field);
  if (!concern.has_value() || concern->kind() != model::Kind::kObject) return std::nullopt;
  return concern->AsDocument();
}

bool IsInTransaction(const CommandContext& context) {
  return context.body().Find("autocommit").has_value() ||
         context.body().Find("startTransaction").has_value();
}

// $out or $merge, the last stage of a pipeline that writes; else empty.
std::string_view WritingStage(model::DocumentView body) {
  const auto pipeline = body.Find("pipeline");
  if (!pipeline.has_value() || pipeline->kind() != model::Kind::kArray) return {};
  std::string_view last;
  for (const model::ElementView stage : pipeline->AsDocument()) {
    last = {};
    if (stage.kind() != model::Kind::kObject || stage.AsDocument().empty()) continue;
    last = (*stage.AsDocument().begin()).name();
  }
  return last == "$out" || last == "$merge" ? last : std::string_view();
}

// Returns whether a command that takes a write concern has written anything it could be about.
bool HasWritten(const CommandContext& context) {
  const std::string_view name = context.command.name();
  if (name == "explain" || !IsListed(kWriters, name)) return false;
  if (name == "aggregate") return !WritingStage(context.body()).empty();
  if (name != "mapReduce") return true;
  const auto out = context.body().Find("out");
  return !out.has_value() || out->kind() != model::Kind::kObject ||
         !out->AsDocument().Find("inline").has_value();
}

std::unexpected<MongoError> RefuseLevel(std::string_view command, std::string_view level,
                                        std::string_view why) {
  return Refuse(ErrorCode::kInvalidOptions,
                fmt::format("Command {} does not support {{ readConcern: {{ level: \"{}\", "
                            "provenance: \"clientSupplied\" }} }} :: caused by :: {}",
                            command, level, why));
}

Outcome CheckReadLevel(const CommandContext& context, model::DocumentView concern) {
  const auto given = concern.Find("level");
  if (!given.has_value()) return {};
  if (given->kind() != model::Kind::kString || !IsListed(kReadLevels, given->AsString())) {
    return Refuse(ErrorCode::kFailedToParse,
                  "readConcern.level must be either 'local', 'majority', 'linearizable', "
                  "'available', or 'snapshot'");
  }
  const std::string_view level = given->AsString();
  const std::string_view command = context.command.name();
  // A transaction has rules of its own (transaction/transaction_call.h).
  if (level == "local" || IsInTransaction(context)) return {};
  if (!IsListed(kReaders, command))
    return RefuseLevel(command, level, "read concern not supported");
  if (level == "snapshot" && !IsListed(kSnapshotReaders, command))
    return RefuseLevel(command, level, "read concern snapshot not supported");
  const std::string_view stage = WritingStage(context.body());
  if (level == "linearizable" && !stage.empty()) {
    return RefuseLevel(
        command, level,
        fmt::format("{} cannot be used with a 'linearizable' read concern level", stage));
  }
  return {};
}

std::optional<MongoError> WhyUnmet(model::DocumentView concern) {
  const auto w = concern.Find("w");
  if (!w.has_value()) return std::nullopt;
  if (w->kind() == model::Kind::kString) {
    if (w->AsString() == "majority") return std::nullopt;
    return MongoError{static_cast<int32_t>(ErrorCode::kUnknownReplWriteConcern),
                      "No write concern mode named '" + std::string(w->AsString()) +
                          "' found in replica set configuration"};
  }
  if (AsWhole(*w).value_or(1) <= 1) return std::nullopt;
  return MongoError{static_cast<int32_t>(ErrorCode::kUnsatisfiableWriteConcern),
                    "Not enough data-bearing nodes"};
}

}  // namespace

Outcome CheckConcerns(const CommandContext& context) {
  if (ConcernOf(context, "writeConcern").has_value() &&
      !IsListed(kWriters, context.command.name()) && !IsInTransaction(context))
    return Refuse(ErrorCode::kInvalidOptions, "Command does not support writeConcern");
  if (const auto concern = ConcernOf(context, "readConcern"))
    return CheckReadLevel(context, *concern);
  return {};
}

void AppendConcernError(model::DocumentBuilder& reply, const CommandContext& context) {
  const auto concern = ConcernOf(context, "writeConcern");
  if (!concern.has_value() || !HasWritten(context)) return;
  const auto error = WhyUnmet(*concern);
  if (!error.has_value()) return;
  reply.OpenObject("writeConcernError").AppendInt32("code", error->code);
  reply.AppendString("codeName", error->code_name()).AppendString("errmsg", error->message);
  reply.OpenObject("errInfo");
  reply.OpenObject("writeConcern");
  for (const model::ElementView field : *concern) reply.Append(field.name(), field);
  if (!concern->Find("wtimeout").has_value()) reply.AppendInt32("wtimeout", 0);
  reply.AppendString("provenance", "clientSupplied").Close();
  reply.Close().Close();
}

}  // namespace orrery::mongo
