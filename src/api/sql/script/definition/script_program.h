// A definition as a program of the script engine, and whether it is one.
#pragma once

#include "api/sql/script/definition/script_definition.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "script/program.h"
#include "script/worker_pool.h"

namespace orrery::sql {

// Stack traces name it "<id>.js". kInvalidArgument when it cannot be one, whatever it says.
Result<script::ProgramRef> MakeScriptProgram(const gateway::ContainerEntry& container,
                                             const ScriptDefinition& definition);

// Whether the body compiles and is a function: kInvalidArgument with what is wrong, the line and
// the column. Waits for a thread of the pool: not for event loops, nor from a script's own thread.
Status CheckCompiles(script::WorkerPool& pool, const gateway::ContainerEntry& container,
                     const ScriptDefinition& definition);

}  // namespace orrery::sql
