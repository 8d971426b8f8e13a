// The rows of currentOp: what is under way on this node.
#pragma once

#include <vector>

#include "api/mongo/command/command_context.h"
#include "model/document/document.h"

namespace orrery::mongo {

// With `own_only` those of the user that asks.
std::vector<model::Document> OperationRows(const CommandContext& context, bool own_only);

// The sessions that were used on this node: {_id: {id, uid}, lastUse}.
std::vector<model::Document> SessionRows(const CommandContext& context, bool own_only);

// The name of this machine and the port that the client came by: "host:27017".
std::string HostAndPort(const CommandContext& context);

}  // namespace orrery::mongo
