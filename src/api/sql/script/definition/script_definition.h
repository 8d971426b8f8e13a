// A ScriptDefinition is a script as a user wrote it: a stored procedure, a trigger or a
// user-defined function, by name and source.
//
// A definition is plain data. Whether its source compiles is script_check.h's to say; how those of
// a container are kept, script_set.h's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::sql {

inline constexpr size_t kScriptIdBytesMax = 255;
inline constexpr size_t kScriptBodyBytesMax = size_t{256} << 10;

enum class ScriptKind : uint8_t { kProcedure, kTrigger, kFunction };

enum class TriggerType : uint8_t { kPre, kPost };

// The writes that a trigger is for. kUpdate is the older word for what changes an existing
// document: a replace or an upsert.
enum class TriggerOperation : uint8_t { kAll, kCreate, kUpdate, kReplace, kUpsert, kDelete };

struct ScriptDefinition {
  ScriptKind kind = ScriptKind::kProcedure;
  std::string id;
  std::string body;
  // Of a trigger.
  TriggerType type = TriggerType::kPre;
  TriggerOperation operation = TriggerOperation::kAll;
  // The words for them that a client wrote in letters of another case; empty: as NameOf has them.
  std::string type_word{};
  std::string operation_word{};

  friend bool operator==(const ScriptDefinition&, const ScriptDefinition&) = default;
};

// "Pre", "Upsert": how clients write them. nullopt for another word; the case does not count.
std::string_view NameOf(TriggerType type);
std::string_view NameOf(TriggerOperation operation);
std::optional<TriggerType> TriggerTypeOf(std::string_view name);
std::optional<TriggerOperation> TriggerOperationOf(std::string_view name);

// As clients get them back.
std::string_view TypeWordOf(const ScriptDefinition& trigger);
std::string_view OperationWordOf(const ScriptDefinition& trigger);
// Takes the words of a trigger that is sent or stored. False when one is none.
bool SetWords(std::string_view type, std::string_view operation, ScriptDefinition& trigger);

// "stored procedure", "trigger", "user-defined function": for messages.
std::string_view WordFor(ScriptKind kind);

// Returns whether a trigger for `trigger` runs at a write of `write`. REQUIRES: `write` is what a
// client can ask for, so neither kAll nor kUpdate.
bool Covers(TriggerOperation trigger, TriggerOperation write);

// Parses what a client sent to create or replace one. kInvalidArgument says what is missing or
// wrong, kTooLarge that the body is longer than kScriptBodyBytesMax.
Result<ScriptDefinition> ParseDefinition(ScriptKind kind, model::DocumentView sent);

}  // namespace orrery::sql
