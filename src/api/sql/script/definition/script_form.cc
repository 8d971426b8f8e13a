#include "api/sql/script/definition/script_form.h"

#include <fmt/format.h>

#include <chrono>

#include "api/sql/document/container_names.h"
#include "api/sql/document/etag.h"
#include "api/sql/resource/resource_id.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

RidKind RidKindOf(ScriptKind kind) {
  switch (kind) {
    case ScriptKind::kProcedure:
      return RidKind::kStoredProcedure;
    case ScriptKind::kTrigger:
      return RidKind::kTrigger;
    case ScriptKind::kFunction:
      return RidKind::kUserFunction;
  }
  return RidKind::kStoredProcedure;
}

void AppendField(std::string& out, std::string_view name, std::string_view text) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
  model::AppendJsonString(out, text);
}

}  // namespace

std::string_view SegmentOf(ScriptKind kind) {
  switch (kind) {
    case ScriptKind::kProcedure:
      return "sprocs";
    case ScriptKind::kTrigger:
      return "triggers";
    case ScriptKind::kFunction:
      return "udfs";
  }
  return {};
}

std::string_view FeedNameOf(ScriptKind kind) {
  switch (kind) {
    case ScriptKind::kProcedure:
      return "StoredProcedures";
    case ScriptKind::kTrigger:
      return "Triggers";
    case ScriptKind::kFunction:
      return "UserDefinedFunctions";
  }
  return {};
}

std::string ScriptRid(const gateway::ContainerEntry& container, const StoredScript& script) {
  return FormatRid(ResourceId::Child(RidKindOf(script.definition.kind), container.database.value(),
                                     container.id.value(), script.number));
}

std::string ScriptEtag(const StoredScript& script) { return FormatEtag(Lsn(script.version)); }

void AppendScriptJson(std::string& out, const gateway::ContainerEntry& container,
                      const StoredScript& script) {
  const ScriptDefinition& definition = script.definition;
  const std::string rid = ScriptRid(container, script);
  out += '{';
  AppendField(out, "id", definition.id);
  AppendField(out, "body", definition.body);
  if (definition.kind == ScriptKind::kTrigger) {
    AppendField(out, "triggerOperation", OperationWordOf(definition));
    AppendField(out, "triggerType", TypeWordOf(definition));
  }
  AppendField(out, "_rid", rid);
  AppendField(
      out, "_self",
      fmt::format("{}{}/{}/", ContainerNames(container).self(), SegmentOf(definition.kind), rid));
  AppendField(out, "_etag", ScriptEtag(script));
  out += fmt::format(",\"_ts\":{}}}",
                     std::chrono::duration_cast<std::chrono::seconds>(script.changed).count());
}

std::string ScriptFeedJson(const gateway::ContainerEntry& container, ScriptKind kind,
                           const ScriptSet& scripts) {
  std::string out = "{";
  AppendField(out, "_rid", ContainerNames(container).rid());
  out += fmt::format(",\"{}\":[", FeedNameOf(kind));
  for (const StoredScript& script : scripts.all()) {
    if (script.definition.kind != kind) continue;
    if (out.back() != '[') out += ',';
    AppendScriptJson(out, container, script);
  }
  out += fmt::format("],\"_count\":{}}}", scripts.Count(kind));
  return out;
}

}  // namespace orrery::sql
