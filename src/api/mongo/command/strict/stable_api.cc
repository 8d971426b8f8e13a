#include "api/mongo/command/strict/stable_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "api/mongo/command/fields.h"

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 29> kStableCommands = {"abortTransaction",
                                                              "aggregate",
                                                              "authenticate",
                                                              "bulkWrite",
                                                              "collMod",
                                                              "commitTransaction",
                                                              "count",
                                                              "create",
                                                              "createIndexes",
                                                              "delete",
                                                              "drop",
                                                              "dropDatabase",
                                                              "dropIndexes",
                                                              "endSessions",
                                                              "explain",
                                                              "find",
                                                              "findAndModify",
                                                              "getMore",
                                                              "hello",
                                                              "insert",
                                                              "killCursors",
                                                              "listCollections",
                                                              "listDatabases",
                                                              "listIndexes",
                                                              "ping",
                                                              "refreshSessions",
                                                              "saslContinue",
                                                              "saslStart",
                                                              "update"};
constexpr std::array<std::string_view, 6> kUnstableStages = {"$currentOp",         "$indexStats",
                                                             "$listLocalSessions", "$listSessions",
                                                             "$planCacheStats",    "$search"};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool AsksMoreThanCount(const model::ElementView& stage) {
  if (stage.kind() != model::Kind::kObject) return false;
  return std::ranges::any_of(stage.AsDocument(), [](const model::ElementView& option) {
    return option.name() != "count";
  });
}

Outcome CheckStableStages(model::DocumentView body) {
  const auto pipeline = body.Find("pipeline");
  if (!pipeline.has_value() || pipeline->kind() != model::Kind::kArray) return {};
  for (const model::ElementView stage : pipeline->AsDocument()) {
    if (stage.kind() != model::Kind::kObject || stage.AsDocument().empty()) continue;
    const std::string_view name = (*stage.AsDocument().begin()).name();
    if (name == "$collStats" && AsksMoreThanCount(*stage.AsDocument().begin())) {
      return Refuse(ErrorCode::kApiStrictError,
                    "only the 'count' option to $collStats is supported in API Version 1");
    }
    if (!Has(kUnstableStages, name)) continue;
    return Refuse(ErrorCode::kApiStrictError,
                  fmt::format("{} is not allowed with 'apiStrict: true' in API Version 1", name));
  }
  return {};
}

}  // namespace

Outcome CheckStableApi(const Command& command) {
  const model::DocumentView body = command.body();
  const Fields fields(body, "APIParametersFromClient");
  MONGO_ASSIGN(const std::optional<std::string> version, fields.Text("apiVersion"));
  if (!version.has_value()) {
    if (body.Find("apiStrict").has_value() || body.Find("apiDeprecationErrors").has_value()) {
      return Refuse(4886600,
                    "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
    }
    return {};
  }
  if (*version != "1")
    return Refuse(ErrorCode::kApiVersionError,
                  fmt::format("Cannot accept API version {}", *version));
  MONGO_ASSIGN(const bool is_strict, fields.Flag("apiStrict"));
  if (!is_strict) return {};
  const std::string_view name = command.name();
  if (!Has(kStableCommands, name)) {
    return Refuse(
        ErrorCode::kApiStrictError,
        fmt::format("Provided apiStrict:true, but the command {} is not in API Version 1", name));
  }
  return CheckStableStages(body);
}

}  // namespace orrery::mongo
