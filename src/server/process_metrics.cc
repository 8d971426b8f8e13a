#include "server/process_metrics.h"

#include <dirent.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "server/server_process.h"

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

MetricsRegistry::Registration RegisterWorkMetrics(MetricsRegistry& metrics,
                                                  const ThreadPool& io_pool,
                                                  script::Engine& scripts) {
  return metrics.AddCollector([&io_pool, &scripts](MetricsText& text) {
    text.AddGauge("orrery_io_tasks_queued", "Requests and scans that wait for an I/O thread.", {},
                  static_cast<double>(io_pool.queued()));
    text.AddGauge("orrery_io_tasks_long",
                  "Requests and scans that run for so long that another thread has taken the place "
                  "of theirs.",
                  {}, static_cast<double>(io_pool.long_tasks()));
    text.AddGauge("orrery_script_workers_lost",
                  "Script threads that run behind the limit of time because their script does not "
                  "end.",
                  {}, static_cast<double>(scripts.counts().lost_now.load()));
    text.AddCounter("orrery_script_workers_lost_total",
                    "Scripts that did not end at their limit of time.", {},
                    static_cast<double>(scripts.counts().lost_total.load()));
  });
}

}  // namespace orrery::server
