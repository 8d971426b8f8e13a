// Serves moves of containers (gateway/move): POST databases/{db}/containers/{c}/move begins one,
// GET moves and moves/{id} tell how far they are, DELETE moves/{id} gives one up or forgets it.
#pragma once

#include "gateway/gateway.h"
#include "gateway/move/move_keeper.h"
#include "portal/router.h"

namespace orrery::portal {

// All must outlive the router.
void AddMoveRoutes(Router& router, gateway::Gateway& gateway, gateway::MoveKeeper& moves);

}  // namespace orrery::portal
