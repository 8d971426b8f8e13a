// Metrics of the process itself: memory, start time, and the resources that all engines share.
#pragma once

#include "base/clock.h"
#include "base/metrics.h"
#include "base/thread_pool.h"
#include "script/engine.h"
#include "storage/resources.h"

namespace orrery::server {

// Emitted at each scrape while the registration lives. `resources` must outlive it; the start time
// is that of this call.
MetricsRegistry::Registration RegisterProcessMetrics(MetricsRegistry& metrics,
                                                     const storage::EngineResources& resources,
                                                     const Clock& clock);

// Of what takes long. Both must outlive the registration.
MetricsRegistry::Registration RegisterWorkMetrics(MetricsRegistry& metrics,
                                                  const ThreadPool& io_pool,
                                                  script::Engine& scripts);

// Bytes of this process in memory; 0 when the system does not tell.
uint64_t ResidentBytes();
// Files and connections that this process has open; OpenFilesMax() is how many it may have.
uint64_t OpenFiles();

}  // namespace orrery::server
