#include "api/sql/script/definition/script_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::sql {
namespace {

size_t MostOf(ScriptKind kind) {
  switch (kind) {
    case ScriptKind::kProcedure:
      return kProceduresMax;
    case ScriptKind::kTrigger:
      return kTriggersMax;
    case ScriptKind::kFunction:
      return kFunctionsMax;
  }
  return 0;
}

Error Taken(ScriptKind kind, std::string_view id) {
  return Error(Code::kAlreadyExists,
               fmt::format("a {} with the id '{}' exists already", WordFor(kind), id));
}

}  // namespace

size_t ScriptSet::Count(ScriptKind kind) const {
  return static_cast<size_t>(std::ranges::count_if(
      scripts_, [kind](const StoredScript& script) { return script.definition.kind == kind; }));
}

const StoredScript* ScriptSet::Find(ScriptKind kind, std::string_view id) const {
  const auto found = std::ranges::find_if(scripts_, [&](const StoredScript& script) {
    return script.definition.kind == kind && script.definition.id == id;
  });
  return found == scripts_.end() ? nullptr : &*found;
}

Result<StoredScript> ScriptSet::Create(ScriptDefinition definition, Micros now) {
  if (Find(definition.kind, definition.id) != nullptr)
    return Fail(Taken(definition.kind, definition.id));
  if (Count(definition.kind) >= MostOf(definition.kind)) {
    return Fail(Code::kForbidden,
                fmt::format("the container has {} {}s, which is the most there may be",
                            MostOf(definition.kind), WordFor(definition.kind)));
  }
  ++stamp_;
  scripts_.push_back({std::move(definition), stamp_, stamp_, now});
  return scripts_.back();
}

Result<StoredScript> ScriptSet::Replace(std::string_view id, ScriptDefinition definition,
                                        std::optional<uint64_t> if_match, Micros now) {
  ORRERY_ASSIGN(StoredScript * script, FindForChange(definition.kind, id, if_match));
  if (definition.id != id && Find(definition.kind, definition.id) != nullptr)
    return Fail(Taken(definition.kind, definition.id));
  script->definition = std::move(definition);
  script->version = ++stamp_;
  script->changed = now;
  return *script;
}

Status ScriptSet::Delete(ScriptKind kind, std::string_view id, std::optional<uint64_t> if_match) {
  ORRERY_ASSIGN(const StoredScript* script, FindForChange(kind, id, if_match));
  scripts_.erase(scripts_.begin() + (script - scripts_.data()));
  return {};
}

Result<StoredScript*> ScriptSet::FindForChange(ScriptKind kind, std::string_view id,
                                               std::optional<uint64_t> if_match) {
  const StoredScript* found = Find(kind, id);
  if (found == nullptr) {
    return Fail(Code::kNotFound, fmt::format("there is no {} with the id '{}'", WordFor(kind), id));
  }
  if (if_match.has_value() && *if_match != found->version) {
    return Fail(Code::kPreconditionFailed,
                fmt::format("the {} has changed: its etag is another one", WordFor(kind)));
  }
  return &scripts_[static_cast<size_t>(found - scripts_.data())];
}

}  // namespace orrery::sql
