#include "api/mongo/command/operation/server_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/operation/operation_counters.h"
#include "api/mongo/command/operation/operation_rows.h"
#include "api/mongo/executor/read/collection_size.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"

#include "api/mongo/catalog/capped_form.h"

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

Answer<ServerRows> IndexRows(const CommandContext& context, const Namespace& name,
                             const model::Value& argument) {
  if (!argument.AsFields().empty())
    return Refuse(28803, "The $indexStats stage specification must be an empty object");
  const CollectionPtr collection = context.services.collections.Find(name);
  std::vector<model::Document> rows;
  if (collection == nullptr) return ServerRows(std::move(rows));
  const auto uses = context.services.counters.UsesOfIndexes(name.ToString());
  const std::string host = HostAndPort(context);
  const int64_t up_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                            context.services.clock.Monotonic() - context.services.started)
                            .count();
  const auto add = [&](std::string_view index, model::DocumentView key, model::DocumentView spec) {
    const auto used = uses.find(std::string(index));
    model::DocumentBuilder row;
    row.AppendString("name", index).AppendDocument("key", key).AppendString("host", host);
    row.OpenObject("accesses").AppendInt64("ops", used == uses.end() ? 0 : used->second);
    // Uses are counted since this node started.
    row.Append("since", model::Value::DateTime(context.services.now_ms() - up_ms)).Close();
    row.AppendDocument("spec", spec);
    rows.push_back(std::move(row).Finish());
  };
  const model::Document by_id = IdIndexSpec();
  add(kIdIndexName, by_id.view().Find("key")->AsDocument(), by_id);
  for (const IndexSpec& index : collection->indexes) add(index.name, index.key, index.spec);
  return ServerRows(std::move(rows));
}

// Plans are chosen by rule: none is kept.
Answer<ServerRows> PlanRows(const CommandContext& context, const Namespace& name,
                            const model::Value& argument) {
  if (!argument.AsFields().empty()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "$planCacheStats parameters object must be empty. Found: object");
  }
  if (context.services.collections.Find(name) == nullptr) {
    return Refuse(50933,
                  fmt::format("PlanExecutor error during aggregation :: caused by :: collection "
                              "'{}' does not exist",
                              name.ToString()));
  }
  return ServerRows(std::vector<model::Document>());
}

// The time that commands of the collection have taken: reads, writes and others.
void AppendLatencies(const CommandContext& context, const Namespace& name,
                     model::DocumentBuilder& row) {
  const auto all = context.services.counters.Collections();
  const auto found = all.find(name.ToString());
  const auto append = [&](std::string_view part, std::initializer_list<OperationKind> kinds) {
    OperationCounters::Use sum;
    for (const OperationKind kind : kinds) {
      if (found == all.end()) continue;
      sum.micros += found->second[static_cast<size_t>(kind)].micros;
      sum.count += found->second[static_cast<size_t>(kind)].count;
    }
    row.OpenObject(part).AppendInt64("latency", sum.micros).AppendInt64("ops", sum.count).Close();
  };
  row.OpenObject("latencyStats");
  append("reads", {OperationKind::kQuery, OperationKind::kGetMore});
  append("writes", {OperationKind::kInsert, OperationKind::kUpdate, OperationKind::kDelete});
  append("commands", {OperationKind::kCommand});
  append("transactions", {});
  row.Close();
}

// The row of $collStats.
Answer<ServerRows> CollectionRow(const CommandContext& context, const Namespace& name,
                                 const model::Value& argument) {
  const CollectionPtr collection = context.services.collections.Find(name);
  const CollectionSize size = collection == nullptr
                                  ? CollectionSize()
                                  : SizeOf(context.services.gateway, *collection->container);
  const model::Value* const latency = argument.Find("latencyStats");
  model::DocumentBuilder row;
  row.AppendString("ns", name.ToString()).AppendString("host", HostAndPort(context));
  row.Append("localTime", model::Value::DateTime(context.services.now_ms()));
  for (const model::Field& wanted : argument.AsFields()) {
    const bool is_known = wanted.name == "latencyStats" || wanted.name == "storageStats" ||
                          wanted.name == "count" || wanted.name == "queryExecStats";
    if (!is_known) {
      return Refuse(40415,
                    fmt::format("BSON field '$collStats.{}' is an unknown field.", wanted.name));
    }
    if (wanted.value.kind() != model::Kind::kObject) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("BSON field '$collStats.{}' is the wrong type '{}', expected type "
                                "'object'",
                                wanted.name, model::KindName(wanted.value.kind())));
    }
  }
  if (latency != nullptr) {
    const model::Value* const histograms = latency->Find("histograms");
    if (histograms != nullptr && histograms->kind() != model::Kind::kBool) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("Field 'histograms' should be a boolean value, but found: {}",
                                model::KindName(histograms->kind())));
    }
    if (histograms != nullptr && histograms->AsBool()) {
      return Refuse(ErrorCode::kCommandNotSupported,
                    "$collStats with histograms of latencies is not supported by this server");
    }
    AppendLatencies(context, name, row);
  }
  if (const model::Value* const storage = argument.Find("storageStats")) {
    const model::Value* const scale = storage->Find("scale");
    const int64_t unit = scale != nullptr && scale->is_number()
                             ? std::max<int64_t>(TruncatedInt64(*scale).value_or(1), 1)
                             : 1;
    row.OpenObject("storageStats").AppendInt64("size", size.bytes / unit);
    row.AppendInt64("count", size.documents);
    if (size.documents > 0) row.AppendInt64("avgObjSize", size.bytes / size.documents);
    const bool is_capped = collection != nullptr && collection->form == DocumentForm::kCapped;
    row.AppendInt64("storageSize", size.bytes / unit).AppendBool("capped", is_capped);
    if (is_capped) {
      const CappedLimits limits = CappedLimitsOf(collection->options);
      row.AppendInt64("max", limits.documents_max == INT64_MAX ? 0 : limits.documents_max);
      row.AppendInt64("maxSize", limits.bytes_max / unit);
    }
    row.AppendInt32("nindexes", collection == nullptr
                                    ? 0
                                    : static_cast<int32_t>(collection->indexes.size() + 1));
    row.AppendInt64("totalSize", size.bytes / unit).AppendInt64("scaleFactor", unit).Close();
  }
  if (argument.Find("count") != nullptr) {
    if (collection == nullptr) {
      return Refuse(ErrorCode::kNamespaceNotFound,
                    fmt::format("Unable to retrieve count in $collStats stage :: caused by :: "
                                "Collection [{}] not found.",
                                name.ToString()));
    }
    row.AppendInt64("count", size.documents);
  }
  if (argument.Find("queryExecStats") != nullptr) {
    const auto uses = context.services.counters.UsesOfIndexes(name.ToString());
    const auto scans = uses.find("");
    const int64_t count = scans == uses.end() ? 0 : scans->second;
    row.OpenObject("queryExecStats").OpenObject("collectionScans").AppendInt64("total", count);
    row.AppendInt64("nonTailable", count).Close().Close();
  }
  std::vector<model::Document> rows;
  rows.push_back(std::move(row).Finish());
  return ServerRows(std::move(rows));
}

}  // namespace

Answer<ServerRows> ReadServerRows(const CommandContext& context, const Namespace& name,
                                  std::string_view stage, const model::Value& argument) {
  if (stage == "$currentOp") return CurrentOpRows(context, name, argument);
  if (stage == "$indexStats") return IndexRows(context, name, argument);
  if (stage == "$planCacheStats") return PlanRows(context, name, argument);
  if (stage == "$collStats") return CollectionRow(context, name, argument);
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
