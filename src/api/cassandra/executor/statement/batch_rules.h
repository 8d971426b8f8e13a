// Checks what may be in one batch. Cassandra's rules and texts.
#pragma once

#include <span>

#include "api/cassandra/executor/statement/planned_statement.h"
#include "api/cassandra/executor/write/write_run.h"

namespace orrery::cassandra {

inline constexpr size_t kBatchStatementsMax = 65'535;

// `with_timestamp`: the batch has a time for all its statements.
CqlStatus CheckBatch(WriteKind kind, std::span<const ModificationPlanPtr> statements,
                     bool with_timestamp, bool with_ttl);

// Of a batch with conditions: all of it must be one partition, and the conditions on one row of one
// kind. REQUIRES: one table (CheckBatch).
CqlStatus CheckConditions(std::span<const WrittenStatement> statements);

}  // namespace orrery::cassandra
