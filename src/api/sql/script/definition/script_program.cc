#include "api/sql/script/definition/script_program.h"

#include <fmt/format.h>

#include <utility>

namespace orrery::sql {

Result<script::ProgramRef> MakeScriptProgram(const gateway::ContainerEntry& container,
                                             const ScriptDefinition& definition) {
  script::Program program;
  program.form = script::Form::kFunction;
  program.source = definition.body;
  program.name = definition.id + ".js";
  program.domain = fmt::format("sql.{}", container.id.value());
  return script::MakeProgram(std::move(program));
}

}  // namespace orrery::sql
