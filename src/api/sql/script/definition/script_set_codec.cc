#include "api/sql/script/definition/script_set_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/document/document_builder.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kScripts = "scripts";
constexpr std::array<std::pair<ScriptKind, std::string_view>, 3> kKindNames{
    {{ScriptKind::kProcedure, "sproc"},
     {ScriptKind::kTrigger, "trigger"},
     {ScriptKind::kFunction, "udf"}}};

std::unexpected<Error> Malformed(std::string_view what) {
  return Fail(Code::kCorruption, fmt::format("the stored scripts have no good '{}'", what));
}

Result<std::string> Text(model::DocumentView from, std::string_view name) {
  const auto field = from.Find(name);
  if (!field.has_value() || field->kind() != model::Kind::kString) return Malformed(name);
  return std::string(field->AsString());
}

// Stamps and times: none is negative.
Result<int64_t> Number(model::DocumentView from, std::string_view name) {
  const auto field = from.Find(name);
  if (!field.has_value() ||
      (field->kind() != model::Kind::kInt32 && field->kind() != model::Kind::kInt64) ||
      field->AsInteger() < 0) {
    return Malformed(name);
  }
  return field->AsInteger();
}

Result<StoredScript> ReadScript(model::DocumentView from) {
  StoredScript script;
  ORRERY_ASSIGN(const std::string kind, Text(from, "kind"));
  const auto named =
      std::ranges::find(kKindNames, kind, &std::pair<ScriptKind, std::string_view>::second);
  if (named == kKindNames.end()) return Malformed("kind");
  script.definition.kind = named->first;
  ORRERY_ASSIGN(script.definition.id, Text(from, "id"));
  ORRERY_ASSIGN(script.definition.body, Text(from, "body"));
  ORRERY_ASSIGN(const int64_t number, Number(from, "number"));
  ORRERY_ASSIGN(const int64_t version, Number(from, "version"));
  ORRERY_ASSIGN(const int64_t changed, Number(from, "changed"));
  script.number = static_cast<uint64_t>(number);
  script.version = static_cast<uint64_t>(version);
  script.changed = Micros(changed);
  if (script.definition.kind != ScriptKind::kTrigger) return script;
  ORRERY_ASSIGN(const std::string type, Text(from, "type"));
  ORRERY_ASSIGN(const std::string operation, Text(from, "operation"));
  if (SetWords(type, operation, script.definition)) return script;
  return Malformed(TriggerTypeOf(type).has_value() ? "operation" : "type");
}

std::string_view KindNameOf(ScriptKind kind) {
  return std::ranges::find(kKindNames, kind, &std::pair<ScriptKind, std::string_view>::first)
      ->second;
}

void AppendScript(model::DocumentBuilder& out, std::string_view name, const StoredScript& script) {
  const ScriptDefinition& definition = script.definition;
  out.OpenObject(name)
      .AppendString("kind", KindNameOf(definition.kind))
      .AppendString("id", definition.id)
      .AppendString("body", definition.body)
      .AppendInt64("number", static_cast<int64_t>(script.number))
      .AppendInt64("version", static_cast<int64_t>(script.version))
      .AppendInt64("changed", script.changed.count());
  if (definition.kind == ScriptKind::kTrigger) {
    out.AppendString("type", TypeWordOf(definition))
        .AppendString("operation", OperationWordOf(definition));
  }
  out.Close();
}

}  // namespace

Result<ScriptSet> ReadScripts(const std::optional<model::Document>& extra) {
  if (!extra.has_value()) return ScriptSet();
  const auto field = extra->view().Find(kScripts);
  if (!field.has_value()) return ScriptSet();
  if (field->kind() != model::Kind::kObject) return Malformed(kScripts);
  const model::DocumentView stored = field->AsDocument();
  ORRERY_ASSIGN(const int64_t stamp, Number(stored, "stamp"));
  const auto list = stored.Find("list");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return Malformed("list");
  std::vector<StoredScript> scripts;
  for (const model::ElementView each : list->AsDocument()) {
    if (each.kind() != model::Kind::kObject) return Malformed("list");
    ORRERY_ASSIGN(StoredScript script, ReadScript(each.AsDocument()));
    if (std::max(script.number, script.version) > static_cast<uint64_t>(stamp))
      return Malformed("stamp");
    scripts.push_back(std::move(script));
  }
  return ScriptSet(std::move(scripts), static_cast<uint64_t>(stamp));
}

model::Document WithScripts(const std::optional<model::Document>& extra, const ScriptSet& scripts) {
  model::DocumentBuilder out;
  if (extra.has_value()) {
    for (const model::ElementView field : extra->view())
      if (field.name() != kScripts) out.Append(field.name(), field);
  }
  out.OpenObject(kScripts)
      .AppendInt64("stamp", static_cast<int64_t>(scripts.stamp()))
      .OpenArray("list");
  size_t index = 0;
  for (const StoredScript& script : scripts.all())
    AppendScript(out, std::to_string(index++), script);
  out.Close().Close();
  return std::move(out).Finish();
}

}  // namespace orrery::sql
