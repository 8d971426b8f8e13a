// Single items and atomic batches in the admin interface.
//
// The five wire APIs are how applications read and write; these calls are an operator's tool and
// let tests drive the core from outside.
#pragma once

#include "gateway/gateway.h"
#include "portal/router.h"

namespace orrery::portal {

// `gateway` must outlive the router.
void AddItemRoutes(Router& router, gateway::Gateway& gateway);

}  // namespace orrery::portal
