#include "storage/compaction_priority.h"

#include <rocksdb/listener.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace orrery::storage {
namespace {

// Above the process's own: as threads of low priority have it.
constexpr int kNiceness = 10;

class GivesWay final : public rocksdb::EventListener {
 public:
  void OnCompactionBegin(rocksdb::DB* /*db*/, const rocksdb::CompactionJobInfo& /*job*/) override {
    static thread_local bool lowered = false;
    if (std::exchange(lowered, true)) return;
    // Not relative to the thread's own, which it may have from another that compacts.
    const int process = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
    static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), process + kNiceness));
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> MakeCompactionPriority() {
  return std::make_shared<GivesWay>();
}

}  // namespace orrery::storage
