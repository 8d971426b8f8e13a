// Serves the server's status: /, /_health, /metrics, /_admin/v1/status, and its certificate, at the
// place where the emulators have theirs: /_explorer/emulator.pem.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/metrics.h"
#include "base/thread_pool.h"
#include "gateway/view/inspection.h"
#include "portal/router.h"

namespace orrery::portal {

enum class ServingState : uint8_t {
  kStarting,  // some ports do not answer yet
  kOk,
  kDraining,  // on its way out
};

struct StatusParts {
  gateway::Inspection& inspection;
  MetricsRegistry& metrics;
  ThreadPool& pool;  // for what looks at every partition
  std::string account;
  std::string certificate_pem;  // empty: the server has no TLS
  std::function<ServingState()> state;
};

// All must outlive the router.
void AddStatusRoutes(Router& router, StatusParts parts);

}  // namespace orrery::portal
