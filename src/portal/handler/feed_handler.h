// The change feed of a container in the admin interface, page by page.
#pragma once

#include "gateway/gateway.h"
#include "portal/router.h"

namespace orrery::portal {

// `gateway` must outlive the router.
void AddFeedRoutes(Router& router, gateway::Gateway& gateway);

}  // namespace orrery::portal
