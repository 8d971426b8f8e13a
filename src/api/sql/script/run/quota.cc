#include "api/sql/script/run/quota.h"

#include <fmt/format.h>

namespace orrery::sql {
namespace {

std::string Counts(size_t functions, size_t procedures, size_t triggers) {
  return fmt::format("functions={};storedProcedures={};triggers={};", functions, procedures,
                     triggers);
}

}  // namespace

std::string UsageOf(const ScriptSet& scripts) {
  return Counts(scripts.Count(ScriptKind::kFunction), scripts.Count(ScriptKind::kProcedure),
                scripts.Count(ScriptKind::kTrigger));
}

std::string QuotaOfScripts() { return Counts(kFunctionsMax, kProceduresMax, kTriggersMax); }

}  // namespace orrery::sql
