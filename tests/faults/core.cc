#include "faults/core.h"

#include "cluster/maintenance/retry_schedule.h"
#include "cluster/node_state.h"

namespace orrery::faults {
namespace {

constexpr size_t kQueueMax = 1'024;
// The system store, then the partitions; once more for one that a job had, and to see it stay.
constexpr int kHealRounds = 4;
// Of all cores of the process together, which RocksDB lets sleep for a second after an error.
constexpr int kBackgroundThreads = 8;

}  // namespace

partition::Limits SmallLimits() {
  partition::Limits limits;
  limits.physical_partition_bytes_max = 256 * partition::kKilobyte;
  limits.physical_partition_rate_max = 500'000;
  limits.rate_max = 10'000'000;
  return limits;
}

Core::Core(std::string directory, storage::FaultFileSystem& files, ManualClock& clock,
           gateway::Accounts accounts)
    : directory_(std::move(directory)),
      files_(files),
      clock_(clock),
      accounts_(std::move(accounts)),
      resources_({.block_cache_bytes = 4 << 20,
                  .memtable_bytes_max = 64 << 20,
                  .background_threads = kBackgroundThreads,
                  .recycled_log_bytes_min = 1,
                  .file_system = files.AsFileSystem()}),
      commit_pool_("commit", 2, kQueueMax),
      io_pool_("io", 2, kQueueMax) {}

Result<std::unique_ptr<Core>> Core::Open(const std::string& directory,
                                         storage::FaultFileSystem& files, ManualClock& clock,
                                         storage::Durability durability) {
  ORRERY_ASSIGN(gateway::Accounts accounts, gateway::Accounts::Create({}));
  std::unique_ptr<Core> core(new Core(directory, files, clock, std::move(accounts)));
  ORRERY_TRY(core->Start(durability));
  return core;
}

Status Core::Start(storage::Durability durability) {
  ORRERY_ASSIGN(core_, gateway::Core::Open({.directory = directory_,
                                            .limits = SmallLimits(),
                                            .sequencer = {.durability = durability}},
                                           {.resources = resources_,
                                            .commit_pool = commit_pool_,
                                            .io_pool = io_pool_,
                                            .accounts = accounts_,
                                            .clock = clock_,
                                            .metrics = metrics_}));
  return {};
}

Core::~Core() { io_pool_.Stop(); }

void Core::Note(const Status& outcome) {
  if (outcome.has_value() || dead()) return;
  switch (outcome.error().code()) {
    case Code::kInternal:
    case Code::kCorruption:
    case Code::kInvalidArgument:
    case Code::kUnsupported:
    case Code::kWouldBlock: {
      MutexLock lock(unclean_mutex_);
      unclean_.push_back(outcome.error().ToString());
      break;
    }
    default:
      break;
  }
}

std::vector<std::string> Core::unclean_errors() const {
  MutexLock lock(unclean_mutex_);
  return unclean_;
}

bool Core::HasTrimMarks() const {
  bool any = false;
  const Status read = core_->system().ForEach(cluster::kTrimPrefix,
                                              [&](std::string_view, std::string_view) -> Status {
                                                any = true;
                                                return {};
                                              });
  return any || !read.has_value();
}

void Core::Round() {
  node().Maintain();
  node().WaitForBackground();
  // The one that the start began would hide what came after it.
  rows().outbox().WaitUntilIdle();
  rows().outbox().Round();
  rows().outbox().WaitUntilIdle();
}

void Core::Settle(int rounds_max) {
  catalog().WaitForIndexes();
  for (int round = 0; round < rounds_max; ++round) {
    const auto before = node().topology();
    const bool trims = HasTrimMarks();
    Round();
    if (node().topology() == before && !trims && !HasTrimMarks()) return;
  }
}

void Core::Heal() {
  for (int round = 0; round < kHealRounds; ++round) {
    clock_.Advance(cluster::RetrySchedule::kPauseMax);
    Round();
  }
}

}  // namespace orrery::faults
