// Await runs something in a sandbox of a pool and waits for what it returns; the wait has an end.
//
// `work` owns all that it uses, because it may go on after the wait has ended. Blocks: not for
// event loops, and not from a thread of the same pool.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "script/failure.h"
#include "script/worker_pool.h"

namespace orrery::script {

// A value that comes once, from whoever is first.
template <typename T>
class AnswerSlot {
 public:
  void Set(Outcome<T> answer) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (answer_.has_value() || taken_) return;
      answer_ = std::move(answer);
    }
    arrived_.NotifyOne();
  }

  // Waits until the answer is there, or `time_max` is over: nullopt then, and nothing is taken
  // later.
  std::optional<Outcome<T>> WaitFor(std::chrono::milliseconds time_max) EXCLUDES(mutex_) {
    const auto end = std::chrono::steady_clock::now() + time_max;
    MutexLock lock(mutex_);
    while (!answer_.has_value()) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left <= left.zero()) break;
      arrived_.WaitFor(mutex_, left);
    }
    taken_ = true;
    return std::exchange(answer_, std::nullopt);
  }

 private:
  Mutex mutex_;
  CondVar arrived_;
  bool taken_ GUARDED_BY(mutex_) = false;
  std::optional<Outcome<T>> answer_ GUARDED_BY(mutex_);
};

// The pool gives jobs up by its clock; this is for a pool that does not.
inline constexpr std::chrono::milliseconds kAwaitSlack{5'000};

// `time_max` is what the scripts may take. A job that the pool did not take, or gave up, is a
// failure of kCancelled or kTime with the pool's code.
template <typename T, typename Work>
Outcome<T> Await(WorkerPool& pool, std::chrono::milliseconds time_max, Work work) {
  const auto slot = std::make_shared<AnswerSlot<T>>();
  const Status taken = pool.Run(
      {.work =
           [slot, work = std::move(work)](Sandbox& sandbox) mutable {
             // The pool would only log it, and the caller wait.
             try {
               slot->Set(work(sandbox));
             } catch (const std::exception& e) {
               slot->Set(std::unexpected(MakeFailure(Reason::kInternal, e.what())));
             }
           },
       .give_up = [slot](Failure failure) { slot->Set(std::unexpected(std::move(failure))); },
       .time_max = time_max});
  if (!taken.has_value()) {
    Failure failure = MakeFailure(Reason::kCancelled, taken.error().message());
    failure.code = taken.error().code();
    return std::unexpected(std::move(failure));
  }
  auto answer = slot->WaitFor(pool.options().queue_time_max + time_max + WorkerPool::kLostAfter +
                              kAwaitSlack);
  if (answer.has_value()) return *std::move(answer);
  return std::unexpected(MakeFailure(Reason::kTime, "the script did not end in its time"));
}

}  // namespace orrery::script
