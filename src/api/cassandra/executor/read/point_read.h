// The fast path: one row by its whole key, its cells copied from the store to the answer.
#pragma once

#include <optional>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/planner/select/select_plan.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

struct PointQuestion {
  const SelectPlan& plan;  // with a point
  const ColumnShapePtr& shape;
  const Evaluation& evaluation;
  uint32_t now_s = 0;
};

// Nothing when the disk would be needed and `mode` forbids it.
std::optional<Outcome> ReadPoint(gateway::RowGateway& rows, const PointQuestion& question,
                                 storage::ReadMode mode);

}  // namespace orrery::cassandra
