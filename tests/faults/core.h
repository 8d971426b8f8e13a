// The whole core, as a server has it below its listeners, on a file system that fails on demand.
//
// Open() is a start of the server, the destructor its end; after FaultFileSystem::Crash() it ends
// as a process does whose machine lost its power. Time stands still unless the test moves it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "gateway/account/accounts.h"
#include "gateway/core.h"
#include "partition/limits.h"
#include "storage/fault/fault_file_system.h"
#include "storage/resources.h"

namespace orrery::faults {

// Small enough that a few items make a partition too large; rates so high that nothing is
// throttled.
partition::Limits SmallLimits();

template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.has_value() ? Status() : Fail(result.error());
}

class Core {
 public:
  // All must outlive the core.
  static Result<std::unique_ptr<Core>> Open(
      const std::string& directory, storage::FaultFileSystem& files, ManualClock& clock,
      storage::Durability durability = storage::Durability::kDurable);
  ~Core();

  gateway::Gateway& gateway() { return core_->gateway(); }
  gateway::RowGateway& rows() { return core_->rows(); }
  gateway::Catalog& catalog() { return core_->catalog(); }
  cluster::Node& node() { return core_->node(); }
  cluster::SystemStore& system() { return core_->system(); }
  ManualClock& clock() { return clock_; }
  // The power is off: what is asked now cannot happen.
  bool dead() const { return files_.crashed(); }
  void CutPower() { files_.Crash(); }
  const std::string& directory() const { return directory_; }

  // Remembers an error that no failing disk explains: a caller would not know what to do about it.
  void Note(const Status& outcome) EXCLUDES(unclean_mutex_);
  std::vector<std::string> unclean_errors() const EXCLUDES(unclean_mutex_);

  // Maintenance, until there is nothing left to trim, split, build or deliver. A round may find
  // work that the round before made, or could not do because another job had the partition.
  void Settle(int rounds_max = 3);
  // Maintenance for as long as it takes to reopen what failed, now that the disk works again.
  void Heal();

 private:
  Core(std::string directory, storage::FaultFileSystem& files, ManualClock& clock,
       gateway::Accounts accounts);
  Status Start(storage::Durability durability);
  bool HasTrimMarks() const;
  // One round of maintenance with all that it begins.
  void Round();

  mutable Mutex unclean_mutex_;
  std::vector<std::string> unclean_ GUARDED_BY(unclean_mutex_);

  const std::string directory_;
  storage::FaultFileSystem& files_;
  ManualClock& clock_;
  MetricsRegistry metrics_;
  const gateway::Accounts accounts_;
  storage::EngineResources resources_;
  ThreadPool commit_pool_;
  ThreadPool io_pool_;
  std::unique_ptr<gateway::Core> core_;
};

}  // namespace orrery::faults
