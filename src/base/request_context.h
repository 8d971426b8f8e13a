// A RequestContext tells the code that works for one request when to stop, and what it may use: a
// deadline, a cancel flag, a budget of memory and the id that logs and clients know the request by.
//
// The server's connection makes one for each request and hands it to the API, which passes it by
// reference down to whatever may run for long. Loops ask it now and then through a StopCheck, which
// costs a counter for most steps. A request is cancelled when its client has hung up or the server
// stops; its deadline is examined, not signalled, so no timer runs for a request.
//
// A context may also say from when on its answer should be cut where that is possible, with a
// continuation: pages of queries end there, and nothing fails.
//
// A RequestContext is a value: cheap to copy, and const ones may be used from any thread. The
// default one has no limits: for work that no client waits for, and for tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/status.h"

namespace orrery {

// Why work for a request should stop.
enum class StopReason : uint8_t { kNone, kClientGone, kServerStopping, kDeadline };

// A RequestOrigin is where requests come from, one connection mostly: what all of its requests
// share. Thread-safe. `clock` must outlive it.
class RequestOrigin {
 public:
  // `memory` is where requests count what they keep; null: nowhere.
  explicit RequestOrigin(const Clock& clock, std::shared_ptr<ByteBudget> memory = nullptr)
      : clock_(clock), memory_(std::move(memory)) {}
  RequestOrigin(const RequestOrigin&) = delete;
  RequestOrigin& operator=(const RequestOrigin&) = delete;

  // Cancels all requests that came and come from here. The first reason counts.
  void Cancel(StopReason reason) {
    StopReason none = StopReason::kNone;
    cancelled_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
  }
  // kNone as long as nobody has called Cancel().
  StopReason cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  const Clock& clock() const { return clock_; }
  const std::shared_ptr<ByteBudget>& memory() const { return memory_; }

 private:
  const Clock& clock_;
  const std::shared_ptr<ByteBudget> memory_;
  std::atomic<StopReason> cancelled_ = StopReason::kNone;
};

class RequestContext {
 public:
  static constexpr Micros kNoDeadline = Micros::max();

  RequestContext() = default;  // no limits
  // `deadline` is by the origin's clock, Monotonic().
  explicit RequestContext(std::shared_ptr<const RequestOrigin> origin,
                          Micros deadline = kNoDeadline)
      : origin_(std::move(origin)), deadline_(deadline) {}

  // The same request with the earlier of its deadline and `deadline`.
  RequestContext Until(Micros deadline) const {
    RequestContext sooner = *this;
    if (deadline < sooner.deadline_) sooner.deadline_ = deadline;
    return sooner;
  }

  // Why the work should stop; kNone: it may go on. Looks at the flag and, where there is a
  // deadline, at the clock: for loops use a StopCheck.
  StopReason stop_reason() const {
    if (!origin_) return StopReason::kNone;
    const StopReason cancelled = origin_->cancelled();
    if (cancelled != StopReason::kNone || deadline_ == kNoDeadline) return cancelled;
    return origin_->clock().Monotonic() < deadline_ ? StopReason::kNone : StopReason::kDeadline;
  }
  // Returns whether the answer should be cut here, if it can be.
  bool is_late() const {
    return cut_from_ != kNoDeadline && origin_ && origin_->clock().Monotonic() >= cut_from_;
  }
  // kCancelled if the work should stop. An API that has an error of its own for requests that took
  // too long asks stop_reason().
  Status Check() const;

  Micros deadline() const { return deadline_; }
  void set_deadline(Micros deadline) { deadline_ = deadline; }
  // By the same clock as the deadline.
  void set_cut_from(Micros cut_from) { cut_from_ = cut_from; }

  // A share of the memory that all requests of the server may keep; of no budget if there is none.
  ByteShare Memory() const { return origin_ ? ByteShare(origin_->memory()) : ByteShare(); }

  // The id of the request in logs and in answers to the client; empty where the API has no such id.
  const std::string& activity_id() const { return activity_id_; }
  void set_activity_id(std::string id) { activity_id_ = std::move(id); }

 private:
  std::shared_ptr<const RequestOrigin> origin_;  // null: no limits
  Micros deadline_ = kNoDeadline;
  Micros cut_from_ = kNoDeadline;
  std::string activity_id_;
};

// A StopCheck makes looking at a RequestContext cheap enough for the innermost loop: it looks once
// for every kStepsPerLook steps.
//
//   StopCheck stop(context);
//   for (...) {
//     if (stop.Step()) return context.Check();
//
// Not thread-safe: one for each loop. The context must outlive it.
class StopCheck {
 public:
  // Some microseconds of simple work.
  static constexpr uint32_t kStepsPerLook = 256;

  explicit StopCheck(const RequestContext& context) : context_(context) {}

  // Counts `steps` of work; whether to stop. Once true it stays true.
  bool Step(uint32_t steps = 1) {
    if (steps < left_) {
      left_ -= steps;
      return false;
    }
    return Look();
  }
  // The same for whoever answers with a Status.
  Status Count(size_t steps = 1) {
    if (steps < left_) {
      left_ -= static_cast<uint32_t>(steps);
      return {};
    }
    return Look() ? context_.Check() : Status();
  }

 private:
  bool Look() {
    left_ = context_.stop_reason() == StopReason::kNone ? kStepsPerLook : 0;
    return left_ == 0;
  }

  const RequestContext& context_;
  uint32_t left_ = kStepsPerLook;
};

}  // namespace orrery
