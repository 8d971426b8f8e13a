#include "server/process_metrics.h"

#include <unistd.h>

#include <chrono>
#include <fstream>

namespace orrery::server {

uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total_pages = 0;
  uint64_t resident_pages = 0;
  if (!(file >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

MetricsRegistry::Registration RegisterProcessMetrics(MetricsRegistry& metrics,
                                                     const storage::EngineResources& resources,
                                                     const Clock& clock) {
  const double start = std::chrono::duration<double>(clock.Now()).count();
  return metrics.AddCollector([&resources, start](MetricsText& text) {
    text.AddGauge("process_resident_memory_bytes", "Memory of this process in RAM.", {},
                  static_cast<double>(ResidentBytes()));
    text.AddGauge("process_start_time_seconds", "When this server was started, since 1970.", {},
                  start);
    text.AddGauge("orrery_block_cache_bytes", "Cached table blocks of all partitions.", {},
                  static_cast<double>(resources.block_cache_used()));
    text.AddGauge("orrery_memtable_bytes", "Unflushed writes of all partitions.", {},
                  static_cast<double>(resources.memtable_used()));
  });
}

}  // namespace orrery::server
