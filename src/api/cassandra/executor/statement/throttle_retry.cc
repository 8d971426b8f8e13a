#include "api/cassandra/executor/statement/throttle_retry.h"

namespace orrery::cassandra {
namespace {

CqlError TimedOut(ThrottleRetry::Kind kind) {
  const ReplicaProgress progress{kind.consistency, 0, 1};
  if (kind.is_write) {
    return {ErrorCode::kWriteTimeout, "Operation timed out: its rate of requests is too large",
            WriteTimeoutDetails{progress, WriteType::kSimple, 0}, 0};
  }
  return {ErrorCode::kReadTimeout, "Operation timed out: its rate of requests is too large",
          ReadTimeoutDetails{progress, false}, 0};
}

}  // namespace

struct ThrottleRetry::Pending {
  Attempt attempt;
  Kind kind;
  Done done;
  Micros deadline{0};
  RequestUnits charge;
};

ThrottleRetry::ThrottleRetry(std::chrono::milliseconds time_max, const Clock& clock)
    : time_max_(time_max),
      clock_(clock),
      queue_(time_max.count() == 0 ? nullptr
                                   : std::make_unique<DelayQueue>("cql-retry", kWaitingMax)) {}

void ThrottleRetry::Run(Attempt attempt, Kind kind, Done done) {
  auto pending = std::make_shared<Pending>();
  pending->attempt = std::move(attempt);
  pending->kind = kind;
  pending->done = std::move(done);
  pending->deadline = clock_.Monotonic() + time_max_;
  Try(pending);
}

void ThrottleRetry::Try(const std::shared_ptr<Pending>& pending) {
  pending->attempt([this, pending](Outcome outcome) { Finish(pending, std::move(outcome)); });
}

void ThrottleRetry::Finish(const std::shared_ptr<Pending>& pending, Outcome outcome) {
  pending->charge += outcome.charge;
  outcome.charge = pending->charge;
  const auto* error = std::get_if<CqlError>(&outcome.result);
  if (error == nullptr || error->retry_after_ms == 0) return pending->done(std::move(outcome));
  const std::chrono::milliseconds pause(error->retry_after_ms);
  const bool in_time = clock_.Monotonic() + pause < pending->deadline;
  if (in_time && queue_->RunAfter(pause, [this, pending] { Try(pending); })) return;
  outcome.result = TimedOut(pending->kind);
  pending->done(std::move(outcome));
}

void ThrottleRetry::Stop() {
  if (queue_ != nullptr) queue_->Stop();
}

}  // namespace orrery::cassandra
