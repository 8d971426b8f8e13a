// Opens change streams: aggregations whose first stage is $changeStream.
#pragma once

#include "api/mongo/command/aggregate_run.h"
#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// Returns whether the command asks for a change stream. It must not be over a view.
bool IsChangeStream(const std::vector<model::Document>& pipeline);

// Replies with the cursor of a stream, and what there is already if it begins in the past.
CommandReply RunChangeStream(CommandContext& context, AggregateArguments arguments);

}  // namespace orrery::mongo
