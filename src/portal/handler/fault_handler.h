// Faults on demand, for tests of how clients retry (gateway/fault/fault_plan.h).
//
//   POST   faults        {"fault":"429","api":..,"share":..}   201 with its id
//   GET    faults        {"faults":[{"id","fault",..,"matched","made"}]}
//   DELETE faults        204
//   DELETE faults/{id}   204
#pragma once

#include "gateway/fault/fault_plan.h"
#include "portal/router.h"

namespace orrery::portal {

// `plan` null: every one of them is refused with 403. It must outlive the router.
void AddFaultRoutes(Router& router, gateway::FaultPlan* plan);

}  // namespace orrery::portal
