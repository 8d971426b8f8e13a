#include "api/mongo/command/strict/cosmos_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/command/fields.h"

namespace orrery::mongo {
namespace {

using model::Kind;

constexpr auto kRefusedCommands = std::to_array<std::string_view>({
    "bulkWrite",
    "cloneCollectionAsCapped",
    "collMod",
    "connPoolStats",
    "connectionStatus",
    "convertToCapped",
    "copydb",
    "createRole",
    "dataSize",
    "datasize",
    "dbHash",
    "dbhash",
    "killAllSessions",
    "killAllSessionsByPattern",
    "killOp",
    "killSessions",
    "listCommands",
    "mapReduce",
    "mapreduce",
    "profile",
    "refreshSessions",
    "renameCollection",
    "serverStatus",
    "startSession",
    "top",
});

constexpr auto kRefusedStages = std::to_array<std::string_view>({
    "$bucket",
    "$bucketAuto",
    "$collStats",
    "$currentOp",
    "$graphLookup",
    "$indexStats",
    "$listLocalSessions",
    "$listSessions",
});

constexpr auto kRefusedOperators = std::to_array<std::string_view>({
    "$jsonSchema",
    "$text",
    "$where",
    "$bitsAllSet",
    "$bitsAnySet",
    "$bitsAllClear",
    "$bitsAnyClear",
    "$center",
    "$centerSphere",
    "$box",
    "$polygon",
    "$meta",
});

template <typename List>
bool IsAmong(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Looks at all names of a filter or projection, however deep.
Outcome CheckOperators(model::DocumentView document) {
  for (const model::ElementView field : document) {
    if (IsAmong(kRefusedOperators, field.name())) {
      return Refuse(ErrorCode::kBadValue, fmt::format("unknown operator: {}", field.name()));
    }
    if (field.kind() == Kind::kObject || field.kind() == Kind::kArray)
      MONGO_TRY(CheckOperators(field.AsDocument()));
  }
  return {};
}

Outcome CheckLookup(const model::ElementView& lookup) {
  if (lookup.kind() != Kind::kObject) return {};
  for (const std::string_view part : {"let", "pipeline"}) {
    if (lookup.AsDocument().Find(part).has_value())
      return Refuse(ErrorCode::kBadValue, "let isn't supported");
  }
  return {};
}

Outcome CheckStages(model::DocumentView pipeline) {
  for (const model::ElementView stage : pipeline) {
    if (stage.kind() != Kind::kObject || stage.AsDocument().empty()) continue;
    const model::ElementView body = *stage.AsDocument().begin();
    if (IsAmong(kRefusedStages, body.name())) {
      return Refuse(40324, fmt::format("Unrecognized pipeline stage name: '{}'", body.name()));
    }
    if (body.name() == "$lookup") MONGO_TRY(CheckLookup(body));
    if (body.name() == "$match" && body.kind() == Kind::kObject)
      MONGO_TRY(CheckOperators(body.AsDocument()));
    if (body.name() == "$facet" && body.kind() == Kind::kObject) {
      for (const model::ElementView inner : body.AsDocument()) {
        if (inner.kind() == Kind::kArray) MONGO_TRY(CheckStages(inner.AsDocument()));
      }
    }
  }
  return {};
}

// An order needs an index: of the field, or a compound one of exactly these fields.
Outcome CheckOrder(const CommandContext& context, model::DocumentView sort) {
  std::vector<std::string> wanted;
  for (const model::ElementView field : sort) wanted.emplace_back(field.name());
  if (wanted.empty() || wanted.front() == "$natural" || wanted == std::vector<std::string>{"_id"})
    return {};
  const auto name = context.command.CollectionOf();
  if (!name.has_value()) return {};
  const CollectionPtr collection = context.services.collections.Find(*name);
  if (collection == nullptr) return {};
  for (const IndexSpec& index : collection->indexes) {
    std::vector<std::string> fields;
    for (const model::ElementView field : index.key.view()) fields.emplace_back(field.name());
    if (fields == wanted || fields.front() == "$**") return {};
    if (wanted.size() == 1 && fields.size() == 1 && fields == wanted) return {};
  }
  if (wanted.size() > 1) {
    return Refuse(ErrorCode::kBadValue,
                  "The order by query does not have a corresponding composite index that it can be "
                  "served from.");
  }
  return Refuse(ErrorCode::kBadValue,
                "The index path corresponding to the specified order-by item is excluded.");
}

Outcome CheckIndex(const CommandContext& context, model::DocumentView index) {
  const auto key = index.Find("key");
  if (!key.has_value() || key->kind() != Kind::kObject) return {};
  for (const model::ElementView field : key->AsDocument()) {
    if (field.kind() != Kind::kString) continue;
    const std::string_view kind = field.AsString();
    if (kind == "text" || kind == "2d" || kind == "hashed") {
      return Refuse(ErrorCode::kCannotCreateIndex,
                    fmt::format("indexes of type '{}' are not supported", kind));
    }
  }
  const bool is_of_time =
      !key->AsDocument().empty() && (*key->AsDocument().begin()).name() == "_ts";
  if (index.Find("expireAfterSeconds").has_value() && !is_of_time) {
    return Refuse(ErrorCode::kBadValue,
                  "The 'expireAfterSeconds' option is supported on '_ts' field only.");
  }
  const auto unique = index.Find("unique");
  if (!unique.has_value() || !AsFlag(*unique).value_or(false)) return {};
  const auto name = context.command.CollectionOf();
  const CollectionPtr collection =
      name.has_value() ? context.services.collections.Find(*name) : nullptr;
  if (collection == nullptr || !collection->is_sharded() ||
      key->AsDocument().Find(*collection->shard_key).has_value())
    return {};
  return Refuse(ErrorCode::kCannotCreateIndex,
                fmt::format("cannot create unique index over {{{} : 1.0}} with shard key pattern "
                            "{{ {} : 1.0 }}",
                            key->AsDocument().empty() ? "" : (*key->AsDocument().begin()).name(),
                            *collection->shard_key));
}

}  // namespace

Outcome CheckCosmosSurface(const CommandContext& context) {
  const model::DocumentView body = context.body();
  const std::string_view name = context.command.name();
  if (IsAmong(kRefusedCommands, name)) {
    return Refuse(ErrorCode::kCommandNotSupported, fmt::format("Command {} not supported.", name));
  }
  for (const std::string_view part : {"filter", "query", "projection"}) {
    const auto found = body.Find(part);
    if (found.has_value() && found->kind() == Kind::kObject)
      MONGO_TRY(CheckOperators(found->AsDocument()));
  }
  if (name == "find") {
    const auto sort = body.Find("sort");
    if (sort.has_value() && sort->kind() == Kind::kObject)
      MONGO_TRY(CheckOrder(context, sort->AsDocument()));
  }
  if (const auto pipeline = body.Find("pipeline");
      pipeline.has_value() && pipeline->kind() == Kind::kArray)
    MONGO_TRY(CheckStages(pipeline->AsDocument()));
  if (name == "createIndexes") {
    const auto indexes = context.command.Documents("indexes", "createIndexes");
    if (indexes.has_value()) {
      for (const model::DocumentView index : *indexes) MONGO_TRY(CheckIndex(context, index));
    }
  }
  for (const std::string_view list : {"updates", "deletes"}) {
    if (name != "update" && name != "delete") break;
    const auto statements = context.command.Documents(list, name);
    if (!statements.has_value()) continue;
    for (const model::DocumentView statement : *statements) {
      const auto filter = statement.Find("q");
      if (filter.has_value() && filter->kind() == Kind::kObject)
        MONGO_TRY(CheckOperators(filter->AsDocument()));
    }
  }
  return {};
}

}  // namespace orrery::mongo
