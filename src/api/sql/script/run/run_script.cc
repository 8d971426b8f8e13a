#include "api/sql/script/run/run_script.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/sql/script/definition/script_program.h"
#include "api/sql/script/host/collection_host.h"
#include "api/sql/script/run/script_failure.h"

namespace orrery::sql {

std::expected<void, Failure> RunScript(const ScriptParts& parts, script::Sandbox& sandbox,
                                       const Attempt& attempt, const ScriptDefinition& definition,
                                       std::span<const script::Datum> arguments, Exchange& exchange,
                                       std::string& log) {
  using std::chrono::milliseconds;
  const auto program = MakeScriptProgram(attempt.view.container(), definition);
  if (!program.has_value()) return std::unexpected(FailureOf(program.error()));

  const Micros now = parts.clock.Monotonic();
  script::Limits limits;
  // At least one, as the time of a run is not told by comparing with the clock here.
  limits.time =
      std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(attempt.deadline - now));
  limits.result_bytes_max = parts.limits.result_bytes_max;
  limits.log_bytes_max = parts.limits.log_bytes_max;

  CollectionHost collection(
      {.view = attempt.view,
       .queries = parts.queries,
       .exchange = exchange,
       .clock = parts.clock,
       .accept_until = now + std::min<Micros>(parts.limits.accept_time, limits.time * 4 / 5),
       .operations_max = parts.limits.operations_max});
  script::Host host = collection.MakeHost();
  const script::RunReport report =
      sandbox.Run(*program, arguments, &host, script::DatumForm::kJson, limits);
  log += report.log;
  if (collection.fatal().has_value())
    return std::unexpected(FailureOfRun(*collection.fatal(), collection.abort_number()));
  if (!report.outcome.has_value()) return std::unexpected(FailureOfScript(report.outcome.error()));
  return {};
}

}  // namespace orrery::sql
