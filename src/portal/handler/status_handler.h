// Serves the server's status: /, /_health, /metrics, /_admin/v1/status, and its certificate, at the
// place where the emulators have theirs: /_explorer/emulator.pem.
#pragma once

#include <functional>
#include <string>

#include "base/metrics.h"
#include "base/thread_pool.h"
#include "gateway/view/inspection.h"
#include "portal/router.h"

namespace orrery::portal {

struct StatusParts {
  gateway::Inspection& inspection;
  MetricsRegistry& metrics;
  ThreadPool& pool;  // for what looks at every partition
  std::string account;
  std::string certificate_pem;     // empty: the server has no TLS
  std::function<bool()> draining;  // whether the server is on its way out
};

// All must outlive the router.
void AddStatusRoutes(Router& router, StatusParts parts);

}  // namespace orrery::portal
