// Databases, containers and their throughput in the admin interface.
#pragma once

#include "gateway/gateway.h"
#include "portal/router.h"

namespace orrery::portal {

// `gateway` must outlive the router.
void AddCatalogRoutes(Router& router, gateway::Gateway& gateway);

}  // namespace orrery::portal
