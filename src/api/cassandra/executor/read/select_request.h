// A SELECT to run, and what every way of running it says alike.
#pragma once

#include <cstdint>
#include <memory>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/schema/schema.h"
#include "base/clock.h"
#include "base/request_context.h"

namespace orrery::cassandra {

// A view: what of it is needed after the call that it is given to is copied there, which a read of
// a cached row does not need at all.
struct SelectRequest {
  const std::shared_ptr<const SelectPlan>& plan;
  const ColumnShapePtr& shape;  // of plan->result
  const SchemaPtr& schema;      // that it was planned for
  const ClientPtr& client;
  const QueryParameters& parameters;
  const RequestContext& context;  // when to stop
};

// Returns the time by which cells expire for this read: the one that the client gave (v5), else
// `now`.
uint32_t NowSeconds(const SelectRequest& request, Micros now);

// The I/O pool takes no more.
CqlError TooManyReads();

}  // namespace orrery::cassandra
