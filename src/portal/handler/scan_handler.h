// Scans of a container in the admin interface, page by page: all of it, one logical partition, or a
// range of an index, with a filter.
#pragma once

#include "gateway/gateway.h"
#include "portal/router.h"

namespace orrery::portal {

// `gateway` must outlive the router.
void AddScanRoutes(Router& router, gateway::Gateway& gateway);

}  // namespace orrery::portal
