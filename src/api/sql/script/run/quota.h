// Formats what a container holds of what is counted, and the most it may, in the form that clients
// know: "functions=1;storedProcedures=2;triggers=0;". Pure.
#pragma once

#include <string>

#include "api/sql/script/definition/script_set.h"

namespace orrery::sql {

std::string UsageOf(const ScriptSet& scripts);
std::string QuotaOfScripts();

}  // namespace orrery::sql
