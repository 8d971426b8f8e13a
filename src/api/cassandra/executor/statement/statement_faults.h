// Faults on demand, as CQL's drivers see them: ERROR messages with the fields that retry policies
// look at, late answers, connections that end.
#pragma once

#include <optional>
#include <string_view>

#include "api/cassandra/executor/statement/planned_statement.h"
#include "api/cassandra/executor/statement_service.h"
#include "gateway/fault/fault_plan.h"

namespace orrery::cassandra {

// The statement that may meet a fault.
struct FaultedStatement {
  // A planned statement; of a BATCH message the first of its statements.
  const PlannedStatement& planned;
  bool is_batch = false;         // a BATCH message
  bool is_logged_batch = false;  // of either form
  Consistency consistency = Consistency::kOne;
};

// Returns who is to be told the outcome if the statement is carried out: `done` itself, or one that
// answers later or otherwise. Nullopt if it has met a fault and is answered.
std::optional<StatementService::Done> MeetFault(gateway::FaultPlan& faults,
                                                const FaultedStatement& statement,
                                                StatementService::Done done);

}  // namespace orrery::cassandra
