// The rows that answer a conditional statement: "[applied]", and when it was not, what is there.
#pragma once

#include <span>
#include <vector>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/executor/write/modification_program.h"

namespace orrery::cassandra {

// `plans` are the statements that the program ran. In a batch the rows are distinguished by their
// keys.
RowsOutcome AppliedResult(const ModificationProgram& program,
                          std::span<const ModificationPlan* const> plans, bool is_batch);

}  // namespace orrery::cassandra
