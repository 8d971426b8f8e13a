// The surface of Azure Cosmos DB for MongoDB (the request-unit service): what it refuses although
// this server could do it. For `--mongo-strict cosmos`, so that tests fail here as they would
// there.
#pragma once

#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// kCommandNotSupported, 40324, kBadValue and others, as the service answers.
Outcome CheckCosmosSurface(const CommandContext& context);

}  // namespace orrery::mongo
