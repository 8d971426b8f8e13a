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

  // Script memory after a full collection. For tests and metrics; takes milliseconds.
  size_t LiveBytes();

 private:
  class Rep;
  // kCancelled, or kMemory when there is none for an engine context.
  Outcome<Rep*> Start();

  const Clock& clock_;
  Watchdog& watchdog_;
  const SandboxOptions options_;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<Rep> rep_;  // made by the first use
};

}  // namespace orrery::script
