// Serves what a map of containers is drawn of: load, keys, places of keys, history and events.
#pragma once

#include "base/clock.h"
#include "gateway/history/partition_monitor.h"
#include "gateway/view/inspection.h"
#include "gateway/view/key_naming.h"
#include "portal/router.h"

namespace orrery::portal {

struct MapParts {
  gateway::Gateway& gateway;
  const gateway::Inspection& inspection;
  gateway::PartitionMonitor& monitor;
  const gateway::KeyNamings& names;
  const Clock& clock;
  uint64_t partition_bytes_max = 0;  // at which a physical partition splits
};

// All must outlive the router.
void AddMapRoutes(Router& router, const MapParts& parts);

}  // namespace orrery::portal
