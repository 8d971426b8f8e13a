// The shares of one statement or batch under way: sends them, waits for all and answers once.
//
// Each is admitted or throttled on its own. When all are throttled, nothing was done, and the
// client is told to come again. When only some are, the statement is half done and must not run
// again as a whole (counters would count twice): the others are sent again from here after the
// pause that they were told. Those that are still throttled when the time is up make it a write
// time-out. One share alone is all or nothing: it waits for nobody and is not kept here.
//
// Lives until its answer is given. Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/executor/write/modification_program.h"
#include "base/delay_queue.h"
#include "base/mutex.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

// An error of the core as clients of a write know it.
CqlError ToWriteError(const Error& error, Consistency consistency, WriteType type);

class PendingWrite : public std::enable_shared_from_this<PendingWrite> {
 public:
  using Done = std::move_only_function<void(Outcome)>;

  // The time for which shares are sent again, from the start of the write.
  static constexpr Micros kRetryTimeMax = std::chrono::seconds(10);

  struct Parts {
    gateway::RowGateway& rows;  // must outlive it
    DelayQueue* waits;          // so must this; null: nothing is sent again
    Consistency consistency = Consistency::kOne;
    WriteType type = WriteType::kSimple;
    std::vector<std::shared_ptr<const ModificationPlan>> conditional;  // statements, in their order
    bool is_batch = false;
    std::shared_ptr<const void> view_pass;  // ViewPlanner::Enter
  };
  // Calls `done` once, from any thread. REQUIRES: there are requests.
  static void Start(Parts parts, std::vector<gateway::RowWriteRequest> requests, Done done);

  PendingWrite(Parts parts, Done done);

 private:
  using Requests = std::vector<gateway::RowWriteRequest>;

  // REQUIRES: none is under way.
  void Send(Requests requests) EXCLUDES(mutex_);
  void Arrive(gateway::RowWriteResponse response) EXCLUDES(mutex_);
  void Note(gateway::RowWriteResponse& response) REQUIRES(mutex_);
  // All that were sent are back.
  void Finish() EXCLUDES(mutex_);
  void Answer() EXCLUDES(mutex_);
  CqlError TimedOut() const;

  const Parts parts_;
  // Of the monotonic clock, since the first refusal. Only Finish has it, never two at once.
  std::optional<Micros> deadline_;

  Mutex mutex_;
  Done done_ GUARDED_BY(mutex_);
  size_t left_ GUARDED_BY(mutex_) = 0;
  bool admitted_ GUARDED_BY(mutex_) = false;          // any share, ever
  Requests throttled_ GUARDED_BY(mutex_);             // of those that were sent last
  std::optional<Error> throttle_ GUARDED_BY(mutex_);  // with the longest of their pauses
  Outcome outcome_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cassandra
