// Serves the statistics of statements: GET and DELETE statements.
#pragma once

#include "base/thread_pool.h"
#include "portal/router.h"

namespace orrery::portal {

// `pool` must outlive the router.
void AddStatementRoutes(Router& router, ThreadPool& pool);

}  // namespace orrery::portal
