// A JobRegistry runs what takes longer than a request, and tells how far it is.
//
// Jobs live in memory: a restart ends them. Of those that have ended the newest are kept.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/request_context.h"
#include "base/status.h"
#include "base/thread_pool.h"

namespace orrery::portal {

// A JobProgress takes what a job tells while it runs, and says when it should stop. Thread-safe.
class JobProgress {
 public:
  explicit JobProgress(const Clock& clock) : origin_(std::make_shared<RequestOrigin>(clock)) {}

  void Set(uint64_t done, uint64_t total) {
    done_.store(done);
    total_.store(total);
  }
  uint64_t done() const { return done_.load(); }
  uint64_t total() const { return total_.load(); }

  RequestContext context() const { return RequestContext(origin_); }
  void Cancel() { origin_->Cancel(StopReason::kClientGone); }
  bool is_cancelled() const { return origin_->cancelled() != StopReason::kNone; }

 private:
  const std::shared_ptr<RequestOrigin> origin_;
  std::atomic<uint64_t> done_{0};
  std::atomic<uint64_t> total_{0};
};

struct JobState {
  uint64_t id = 0;
  std::string kind;
  std::string database;
  std::string container;
  std::string state;  // "running", "done", "failed", "cancelled"
  uint64_t done = 0;
  uint64_t total = 0;
  int64_t started_ms = 0;
  std::optional<int64_t> ended_ms;
  std::string error;
  std::string result;  // JSON; empty: none yet
};

class JobRegistry {
 public:
  static constexpr size_t kJobsMax = 100;
  static constexpr size_t kRunningMax = 8;

  // Gives the job's result, as JSON.
  using Work = std::function<Result<std::string>(JobProgress& progress)>;

  // Both must outlive it.
  JobRegistry(ThreadPool& pool, const Clock& clock) : pool_(pool), clock_(clock) {}

  // kOverloaded when too many run.
  Result<JobState> Start(std::string kind, std::string database, std::string container, Work work)
      EXCLUDES(mutex_);
  // Newest first.
  std::vector<JobState> List() const EXCLUDES(mutex_);
  // kNotFound.
  Result<JobState> Find(uint64_t id) const EXCLUDES(mutex_);
  // Cancels one that runs, forgets one that has ended. kNotFound.
  Status Remove(uint64_t id) EXCLUDES(mutex_);
  void CancelAll() EXCLUDES(mutex_);

 private:
  struct Job {
    JobState state;
    std::shared_ptr<JobProgress> progress;
  };

  static JobState Now(const Job& job);
  void End(uint64_t id, Result<std::string> outcome) EXCLUDES(mutex_);
  int64_t NowMs() const;

  ThreadPool& pool_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::map<uint64_t, Job> jobs_ GUARDED_BY(mutex_);
  uint64_t last_id_ GUARDED_BY(mutex_) = 0;
};

}  // namespace orrery::portal
