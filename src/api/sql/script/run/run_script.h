// The parts that running scripts needs of the server, and the function that runs one script within
// a transaction.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "api/sql/http/failure.h"
#include "api/sql/script/definition/script_definition.h"
#include "api/sql/script/host/exchange.h"
#include "api/sql/script/run/script_limits.h"
#include "api/sql/script/transaction/script_documents.h"
#include "api/sql/script/transaction/script_queries.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "script/datum.h"
#include "script/sandbox.h"

namespace orrery::sql {

// All must outlive whoever has them.
struct ScriptParts {
  gateway::Gateway& gateway;
  ScriptQueries& queries;
  const Clock& clock;
  ScriptLimits limits;
};

// One attempt's: the view of its transaction and until when it may run (on the monotonic clock).
struct Attempt {
  ScriptDocuments& view;
  Micros deadline{0};
};

// Runs a script to its end, callbacks included. What it logs goes behind `log`.
std::expected<void, Failure> RunScript(const ScriptParts& parts, script::Sandbox& sandbox,
                                       const Attempt& attempt, const ScriptDefinition& definition,
                                       std::span<const script::Datum> arguments, Exchange& exchange,
                                       std::string& log);

}  // namespace orrery::sql
