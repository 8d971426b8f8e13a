#include "api/cassandra/executor/write/pending_write.h"

#include <utility>

#include "api/cassandra/executor/write/applied_result.h"

namespace orrery::cassandra {

CqlError ToWriteError(const Error& error, Consistency consistency, WriteType type) {
  CqlError mapped = ToCqlError(error);
  const ReplicaProgress progress{consistency, 0, 1};
  if (mapped.code == ErrorCode::kWriteFailure)
    mapped.details = WriteFailureDetails{progress, {}, type};
  if (mapped.code == ErrorCode::kUnavailable)
    mapped.details = UnavailableDetails{consistency, 1, 0};
  return mapped;
}

namespace {

RowsOutcome Applied(const ModificationProgram& program, const PendingWrite::Parts& parts) {
  std::vector<const ModificationPlan*> conditional;
  for (const auto& plan : parts.conditional) conditional.push_back(plan.get());
  return AppliedResult(program, conditional, parts.is_batch);
}

// Adds to the outcome the result of a share that was not throttled: what its conditional statements
// found, or why it failed.
void NoteAdmitted(const gateway::RowWriteResponse& response, const PendingWrite::Parts& parts,
                  Outcome& outcome) {
  const auto* program = static_cast<const ModificationProgram*>(response.program.get());
  if (!response.status.has_value()) {
    outcome.result = program != nullptr && program->error().has_value()
                         ? *program->error()
                         : ToWriteError(response.status.error(), parts.consistency, parts.type);
  } else if (parts.type == WriteType::kCas && program != nullptr) {
    outcome.result = Applied(*program, parts);
  }
}

void SendAlone(PendingWrite::Parts parts, gateway::RowWriteRequest request,
               PendingWrite::Done done) {
  gateway::RowGateway& rows = parts.rows;
  rows.Write(std::move(request), [parts = std::move(parts), done = std::move(done)](
                                     const gateway::RowWriteResponse& response) mutable {
    Outcome outcome;
    outcome.charge = response.charge;
    NoteAdmitted(response, parts, outcome);
    done(std::move(outcome));
  });
}

}  // namespace

PendingWrite::PendingWrite(Parts parts, Done done)
    : parts_(std::move(parts)), done_(std::move(done)) {}

void PendingWrite::Start(Parts parts, Requests requests, Done done) {
  if (requests.size() == 1) {
    return SendAlone(std::move(parts), std::move(requests.front()), std::move(done));
  }
  std::make_shared<PendingWrite>(std::move(parts), std::move(done))->Send(std::move(requests));
}

void PendingWrite::Send(Requests requests) {
  {
    MutexLock lock(mutex_);
    left_ = requests.size();
  }
  for (gateway::RowWriteRequest& request : requests) {
    parts_.rows.Write(std::move(request),
                      [self = shared_from_this()](gateway::RowWriteResponse response) {
                        self->Arrive(std::move(response));
                      });
  }
}

CqlError PendingWrite::TimedOut() const {
  const ReplicaProgress progress{parts_.consistency, 0, 1};
  return {ErrorCode::kWriteTimeout,
          "Operation timed out: a part of it was written, of the rest the rate is too large",
          WriteTimeoutDetails{progress, parts_.type, 0}, 0};
}

void PendingWrite::Note(gateway::RowWriteResponse& response) {
  outcome_.charge += response.charge;
  if (response.refused.has_value()) {
    Error& error = response.status.error();
    if (!throttle_.has_value() || throttle_->retry_after_ms() < error.retry_after_ms())
      throttle_ = std::move(error);
    throttled_.push_back(*std::move(response.refused));
    return;
  }
  admitted_ = true;
  if (std::holds_alternative<CqlError>(outcome_.result)) return;
  NoteAdmitted(response, parts_, outcome_);
}

void PendingWrite::Arrive(gateway::RowWriteResponse response) {
  {
    MutexLock lock(mutex_);
    Note(response);
    if (--left_ != 0) return;
  }
  Finish();
}

void PendingWrite::Finish() {
  Requests again;
  std::chrono::milliseconds pause{0};
  {
    MutexLock lock(mutex_);
    if (throttle_.has_value() && !std::holds_alternative<CqlError>(outcome_.result)) {
      pause = std::chrono::milliseconds(throttle_->retry_after_ms());
      if (admitted_) {
        again = std::exchange(throttled_, {});
      } else {
        outcome_.result = ToWriteError(*throttle_, parts_.consistency, parts_.type);
      }
      throttle_.reset();
    }
  }
  if (again.empty()) return Answer();
  const Micros now = parts_.rows.clock().Monotonic();
  if (!deadline_.has_value()) deadline_ = now + kRetryTimeMax;
  const bool in_time = now + pause < *deadline_;
  if (in_time && parts_.waits != nullptr &&
      parts_.waits->RunAfter(pause,
                             [self = shared_from_this(), again = std::move(again)]() mutable {
                               self->Send(std::move(again));
                             })) {
    return;
  }
  {
    MutexLock lock(mutex_);
    outcome_.result = TimedOut();
  }
  Answer();
}

void PendingWrite::Answer() {
  Done done;
  Outcome outcome;
  {
    MutexLock lock(mutex_);
    done = std::move(done_);
    outcome = std::move(outcome_);
  }
  done(std::move(outcome));
}

}  // namespace orrery::cassandra
