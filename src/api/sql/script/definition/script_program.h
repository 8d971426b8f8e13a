// A definition as a program of the script engine.
#pragma once

#include "api/sql/script/definition/script_definition.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "script/program.h"

namespace orrery::sql {

// Stack traces name it "<id>.js". kInvalidArgument when it cannot be one, whatever it says;
// whether it compiles is seen when it runs.
Result<script::ProgramRef> MakeScriptProgram(const gateway::ContainerEntry& container,
                                             const ScriptDefinition& definition);

}  // namespace orrery::sql
