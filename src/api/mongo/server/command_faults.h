// Faults on demand, as MongoDB's drivers see them: error codes with their labels, late replies,
// connections that end.
#pragma once

#include <optional>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/command_table.h"
#include "gateway/fault/fault_plan.h"

namespace orrery::mongo {

// Returns the fault that the command meets, if any.
std::optional<gateway::Fault> FaultFor(gateway::FaultPlan& faults, const CommandEntry& entry,
                                       const CommandContext& context);

// The error of a fault that is one. REQUIRES: not kDelay, kCut or kSlow.
MongoError ErrorOfFault(const gateway::Fault& fault, const CommandContext& context);

}  // namespace orrery::mongo
