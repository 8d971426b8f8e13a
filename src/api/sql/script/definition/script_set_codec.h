// Encodes a container's scripts: a field of what the API keeps in the container's settings
// (gateway::ContainerSettings::extra), beside fields of others.
//
//   extra   := { .. "scripts": { "stamp": int64, "list": [ script.. ] } .. }
//   script  := { "kind": "sproc" | "trigger" | "udf", "id": text, "body": text,
//                "number": int64, "version": int64, "changed": int64 microseconds,
//                "type": text, "operation": text }             (the last two of triggers alone)
//
// Pure.
#pragma once

#include <optional>

#include "api/sql/script/definition/script_set.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::sql {

// An empty set when nothing is stored; kCorruption when what is stored is none.
Result<ScriptSet> ReadScripts(const std::optional<model::Document>& extra);

// `extra` with these scripts in the place of those it has.
model::Document WithScripts(const std::optional<model::Document>& extra, const ScriptSet& scripts);

}  // namespace orrery::sql
