#include "api/sql/script/definition/script_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

template <typename T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array<Named<TriggerType>, 2> kTypes{
    {{"Pre", TriggerType::kPre}, {"Post", TriggerType::kPost}}};

constexpr std::array<Named<TriggerOperation>, 6> kOperations{
    {{"All", TriggerOperation::kAll},
     {"Create", TriggerOperation::kCreate},
     {"Update", TriggerOperation::kUpdate},
     {"Replace", TriggerOperation::kReplace},
     {"Upsert", TriggerOperation::kUpsert},
     {"Delete", TriggerOperation::kDelete}}};

template <typename T, size_t N>
std::string_view NameIn(const std::array<Named<T>, N>& table, T value) {
  const auto found = std::ranges::find(table, value, &Named<T>::value);
  return found == table.end() ? std::string_view() : found->name;
}

template <typename T, size_t N>
std::optional<T> ValueIn(const std::array<Named<T>, N>& table, std::string_view name) {
  const auto found = std::ranges::find_if(
      table, [name](const Named<T>& one) { return net::EqualsIgnoringCase(one.name, name); });
  if (found == table.end()) return std::nullopt;
  return found->value;
}

Result<std::string> TextField(model::DocumentView sent, std::string_view name) {
  const auto field = sent.Find(name);
  if (!field.has_value() || field->kind() != model::Kind::kString) {
    return Fail(Code::kInvalidArgument,
                fmt::format("The input content is invalid because the required properties - '{}; ' "
                            "- are missing",
                            name));
  }
  return std::string(field->AsString());
}

Status CheckId(std::string_view id) {
  if (id.empty() || id.size() > kScriptIdBytesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the id of a script has 1 to {} bytes", kScriptIdBytesMax));
  }
  if (id.find_first_of("/\\?#") != std::string_view::npos || id.back() == ' ') {
    return Fail(Code::kInvalidArgument,
                "the id of a script has none of the characters / \\ ? # and does not end with a "
                "space");
  }
  return {};
}

Status ReadTrigger(model::DocumentView sent, ScriptDefinition& into) {
  ORRERY_ASSIGN(const std::string type, TextField(sent, "triggerType"));
  ORRERY_ASSIGN(const std::string operation, TextField(sent, "triggerOperation"));
  if (SetWords(type, operation, into)) return {};
  if (!TriggerTypeOf(type).has_value()) {
    return Fail(Code::kInvalidArgument, fmt::format("triggerType is Pre or Post, not '{}'", type));
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("triggerOperation is All, Create, Update, Replace, Upsert or Delete, "
                          "not '{}'",
                          operation));
}

}  // namespace

std::string_view NameOf(TriggerType type) { return NameIn(kTypes, type); }
std::string_view NameOf(TriggerOperation operation) { return NameIn(kOperations, operation); }
std::optional<TriggerType> TriggerTypeOf(std::string_view name) { return ValueIn(kTypes, name); }
std::optional<TriggerOperation> TriggerOperationOf(std::string_view name) {
  return ValueIn(kOperations, name);
}

std::string_view TypeWordOf(const ScriptDefinition& trigger) {
  return trigger.type_word.empty() ? NameOf(trigger.type) : trigger.type_word;
}
std::string_view OperationWordOf(const ScriptDefinition& trigger) {
  return trigger.operation_word.empty() ? NameOf(trigger.operation) : trigger.operation_word;
}

bool SetWords(std::string_view type, std::string_view operation, ScriptDefinition& trigger) {
  const auto known_type = TriggerTypeOf(type);
  const auto known_operation = TriggerOperationOf(operation);
  if (!known_type.has_value() || !known_operation.has_value()) return false;
  trigger.type = *known_type;
  trigger.operation = *known_operation;
  trigger.type_word = type == NameOf(*known_type) ? "" : type;
  trigger.operation_word = operation == NameOf(*known_operation) ? "" : operation;
  return true;
}

std::string_view WordFor(ScriptKind kind) {
  switch (kind) {
    case ScriptKind::kProcedure:
      return "stored procedure";
    case ScriptKind::kTrigger:
      return "trigger";
    case ScriptKind::kFunction:
      return "user-defined function";
  }
  return "script";
}

bool Covers(TriggerOperation trigger, TriggerOperation write) {
  if (trigger == TriggerOperation::kAll || trigger == write) return true;
  return trigger == TriggerOperation::kUpdate &&
         (write == TriggerOperation::kReplace || write == TriggerOperation::kUpsert);
}

Result<ScriptDefinition> ParseDefinition(ScriptKind kind, model::DocumentView sent) {
  ScriptDefinition definition;
  definition.kind = kind;
  ORRERY_ASSIGN(definition.id, TextField(sent, "id"));
  ORRERY_ASSIGN(definition.body, TextField(sent, "body"));
  ORRERY_TRY(CheckId(definition.id));
  if (definition.body.size() > kScriptBodyBytesMax) {
    return Fail(Code::kTooLarge, fmt::format("the body has {} bytes, the most is {}",
                                             definition.body.size(), kScriptBodyBytesMax));
  }
  if (kind == ScriptKind::kTrigger) ORRERY_TRY(ReadTrigger(sent, definition));
  return definition;
}

}  // namespace orrery::sql
