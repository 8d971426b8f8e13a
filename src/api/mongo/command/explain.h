// The plan of an aggregation that says `explain: true`.
#pragma once

#include "api/mongo/command/aggregate_run.h"
#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// The same as the command explain answers with verbosity queryPlanner. Runs nothing.
CommandReply ExplainAggregate(CommandContext& context, AggregateArguments arguments);

}  // namespace orrery::mongo
