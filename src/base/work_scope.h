// A WorkScope makes the context of a request known to the code below on its thread, so that
// functions of languages, which are given values only, can stop in their loops: for code that has
// no RequestContext at hand. Whoever has one uses that.
//
//   WorkScope scope(request);                             around the work for a request
//   if (WorkScope::Step()) return <the API's error>;      in a loop far below
//
// Scopes nest; the innermost counts. Without one nothing stops. The context must outlive it.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/request_context.h"

namespace orrery {

class WorkScope {
 public:
  // `cancelled`: another flag that ends the work (a command that is killed); null: none.
  explicit WorkScope(const RequestContext& context, const std::atomic<bool>* cancelled = nullptr)
      : context_(context), cancelled_(cancelled), outer_(innermost_) {
    innermost_ = this;
  }
  ~WorkScope() { innermost_ = outer_; }
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;

  // Counts `steps` of work, some microseconds for each StopCheck::kStepsPerLook; whether to stop.
  static bool Step(size_t steps = 1) {
    WorkScope* const scope = innermost_;
    if (scope == nullptr) return false;
    if (steps < scope->left_) {
      scope->left_ -= steps;
      return false;
    }
    return scope->Look();
  }
  // Why; kNone: the work may go on. A killed command is one whose client has gone.
  static StopReason stop_reason() {
    return innermost_ == nullptr ? StopReason::kNone : innermost_->Reason();
  }

 private:
  bool Look() {
    left_ = Reason() == StopReason::kNone ? StopCheck::kStepsPerLook : 0;
    return left_ == 0;
  }
  StopReason Reason() const {
    if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed))
      return StopReason::kClientGone;
    return context_.stop_reason();
  }

  static inline thread_local WorkScope* innermost_ = nullptr;

  const RequestContext& context_;
  const std::atomic<bool>* const cancelled_;
  WorkScope* const outer_;
  size_t left_ = StopCheck::kStepsPerLook;
};

}  // namespace orrery
