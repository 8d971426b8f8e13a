// Tries throttled statements again on the server, instead of telling the client to: Cosmos DB's
// "server side retry". A statement that is still refused when its time is up gives a read or write
// time-out, so that clients do not take it for a fault of theirs.
//
// Thread-safe. Must outlive the statements it is given.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "api/cassandra/executor/statement_service.h"
#include "base/clock.h"
#include "base/delay_queue.h"

namespace orrery::cassandra {

class ThrottleRetry {
 public:
  using Done = StatementService::Done;
  // One try; may be called again.
  using Attempt = std::function<void(Done)>;
  struct Kind {
    bool is_write = false;
    Consistency consistency = Consistency::kOne;
  };

  // `time_max` 0: never tries again. `clock` must outlive it.
  ThrottleRetry(std::chrono::milliseconds time_max, const Clock& clock);

  bool enabled() const { return queue_ != nullptr; }
  // REQUIRES: enabled().
  void Run(Attempt attempt, Kind kind, Done done);
  // Tries what waits once more, at once.
  void Stop();

 private:
  static constexpr size_t kWaitingMax = 65'536;

  struct Pending;
  void Try(const std::shared_ptr<Pending>& pending);
  void Finish(const std::shared_ptr<Pending>& pending, Outcome outcome);

  const Micros time_max_;
  const Clock& clock_;
  const std::unique_ptr<DelayQueue> queue_;  // null: not enabled
};

}  // namespace orrery::cassandra
