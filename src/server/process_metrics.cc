#include "server/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
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

uint64_t OpenFiles() {
  DIR* const directory = opendir("/proc/self/fd");
  if (directory == nullptr) return 0;
  uint64_t count = 0;
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  // Itself, and the entries "." and "..".
  return count > 3 ? count - 3 : 0;
}

uint64_t OpenFilesMax() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

MetricsRegistry::Registration RegisterProcessMetrics(MetricsRegistry& metrics,
                                                     const storage::EngineResources& resources,
                                                     const Clock& clock) {
  const double start = std::chrono::duration<double>(clock.Now()).count();
  return metrics.AddCollector([&resources, start](MetricsText& text) {
    text.AddGauge("process_resident_memory_bytes", "Memory of this process in RAM.", {},
                  static_cast<double>(ResidentBytes()));
    text.AddGauge("process_open_fds", "Open files and connections of this process.", {},
                  static_cast<double>(OpenFiles()));
    text.AddGauge("process_max_fds", "How many it may have.", {},
                  static_cast<double>(OpenFilesMax()));
    text.AddGauge("process_start_time_seconds", "When this server was started, since 1970.", {},
                  start);
    text.AddGauge("orrery_block_cache_bytes", "Cached table blocks of all partitions.", {},
                  static_cast<double>(resources.block_cache_used()));
    text.AddGauge("orrery_memtable_bytes", "Unflushed writes of all partitions.", {},
                  static_cast<double>(resources.memtable_used()));
  });
}

}  // namespace orrery::server
