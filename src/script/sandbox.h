// A Sandbox runs scripts on one thread, within limits, and nothing they do outlives the call.
//
// Call is for functions: many short calls of programs that are compiled once and share a frozen
// realm per domain (well under a microsecond each). Run is for procedures: a realm of their
// own, a host they can talk to, callbacks, a log. In both every failure, however brutal, leaves
// the sandbox as it was.
//
// Made, used and destroyed on one thread, except Cancel. A host function must not use the sandbox
// that is calling it. The engine's context (some 6 MB, tens of milliseconds) comes with first use.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "model/value.h"
#include "script/datum.h"
#include "script/engine.h"
#include "script/failure.h"
#include "script/host.h"
#include "script/limits.h"
#include "script/program.h"
#include "script/watchdog.h"

namespace orrery::script {

struct RunReport {
  Outcome<Datum> outcome;
  std::string log;          // what console.log was given, call behind call, also of a failed run
  bool log_is_cut = false;  // there was more than Limits::log_bytes_max
};

class Sandbox {
 public:
  // All of them must outlive the sandbox.
  Sandbox(Engine& engine, const Clock& clock, Watchdog& watchdog, SandboxOptions options = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Checks that the program compiles: kSyntax with the place where it does not.
  Outcome<void> Check(const ProgramRef& program);

  // Missing arguments are undefined. A promise is awaited.
  Outcome<model::Value> Call(const ProgramRef& program, std::span<const model::Value> arguments,
                             const Limits& limits = {});

  // Runs the program and then, until none is left, what it asked to be called back. The outcome is
  // what the program's function returned, in the form asked for. `host` may be null.
  RunReport Run(const ProgramRef& program, std::span<const Datum> arguments, Host* host,
                DatumForm form, const Limits& limits = {});

  // Ends what runs with kCancelled, and whatever is run later. From any thread.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  // Between a job and who may give it up (worker_pool.h). BeginJob: on the sandbox's thread, before
  // each job. Claim: on that thread, before a job does what its caller must hear of (a commit);
  // false when the job was given up, and nothing of it may be done any more. Unclaim: the job may
  // be given up again. GiveUp: from any thread; false when the job was claimed. What runs is
  // cancelled.
  void BeginJob() { job_.store(JobState::kRunning, std::memory_order_relaxed); }
  bool Claim() {
    return Become(JobState::kRunning, JobState::kClaimed) || job_.load() == JobState::kClaimed;
  }
  void Unclaim() { Become(JobState::kClaimed, JobState::kRunning); }
  bool GiveUp() {
    if (!Become(JobState::kRunning, JobState::kGivenUp)) return false;
    Cancel();
    return true;
  }

  // Script memory after a full collection. For tests and metrics; takes milliseconds.
  size_t LiveBytes();

 private:
  class Rep;
  // kCancelled, or kMemory when there is none for an engine context.
  Outcome<Rep*> Start();

  enum class JobState : uint8_t { kRunning, kClaimed, kGivenUp };
  bool Become(JobState from, JobState to) { return job_.compare_exchange_strong(from, to); }

  const Clock& clock_;
  Watchdog& watchdog_;
  const SandboxOptions options_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<JobState> job_ = JobState::kRunning;
  std::unique_ptr<Rep> rep_;  // made by the first use
};

}  // namespace orrery::script
