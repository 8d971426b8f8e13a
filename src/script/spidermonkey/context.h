// A Context is one SpiderMonkey runtime on one thread, and the limits of what runs on it now.
//
// SpiderMonkey asks OnInterrupt when the watchdog poked it or it has collected garbage. Natives do
// not ask; one that allocates after the time is over, or collects again and again in a full heap,
// runs out of memory. Once a limit is passed the run has ended: the script is torn down in a way it
// cannot catch, and every later attempt to run script code in the same run (a getter during
// conversion, a promise's reaction) ends at once too.
//
// Used on the thread that made it; only Cancel and Poke may come from others.
#pragma once

#include <jsapi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "script/failure.h"
#include "script/limits.h"
#include "script/spidermonkey/allocation_cap.h"
#include "script/watchdog.h"

namespace orrery::script {

class HostBridge;

// The state of the run in progress.
struct RunState {
  Limits limits;
  Micros deadline = Micros::max();
  HostBridge* host = nullptr;  // when the script has one
  std::optional<Reason> ended;
  std::string log;
  bool log_is_cut = false;
};

class Context final : public Watchdog::Subject {
 public:
  // nullptr when there is no memory for it. All references must outlive the context.
  static std::unique_ptr<Context> Create(const Clock& clock, Watchdog& watchdog,
                                         const std::atomic<bool>& cancelled,
                                         const SandboxOptions& options);
  ~Context() override;

  static Context& Of(JSContext* cx);
  JSContext* cx() const { return cx_; }
  RunState* run() const { return run_; }
  const Clock& clock() const { return clock_; }

  void Poke() override;

  // A new global object with the engine's own builtins only; nullptr with an exception pending.
  JSObject* NewGlobal();

  // Ends the current run; script code stops at its next chance.
  void End(Reason reason);

  // Returns the bytes that scripts hold, garbage included.
  size_t HeapBytes();
  // Collects when garbage may have piled up. Between runs.
  void MaybeCollect();
  void Collect();

 private:
  friend class RunScope;

  Context(const Clock& clock, Watchdog& watchdog, const std::atomic<bool>& cancelled,
          const SandboxOptions& options);
  bool Start();
  static bool OnInterrupt(JSContext* cx);
  static void OnCollected(JSContext* cx, JSGCStatus status, JS::GCReason reason, void* context);
  bool CheckLimits();
  // Ends the run and has every allocation of it fail from now on, so that a native that does not
  // ask ends, too. REQUIRES: a run.
  void StopAllocations(Reason reason);

  const Clock& clock_;
  Watchdog& watchdog_;
  const std::atomic<bool>& cancelled_;
  const SandboxOptions options_;
  JSContext* cx_ = nullptr;
  // A realm in which no script runs. The others share its zone, so that their garbage counts
  // together, and the engine's own memory counters live in it.
  JS::PersistentRootedObject anchor_;
  JS::PersistentRootedObject memory_info_;
  RunState* run_ = nullptr;
  bool collecting_ = false;  // by our own wish
  // Since a limit was looked at last. Of one native operation, if they are many.
  uint32_t collections_ = 0;
  bool allocations_stopped_ = false;
  uint32_t heap_parameter_ = 0;  // the engine's own limit
};

// While it lives `run` is the current run: limited and watched. Not nested.
class RunScope {
 public:
  RunScope(Context& context, RunState& run);
  ~RunScope();
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

 private:
  Context& context_;
  ScopedAllocationCap cap_;
};

}  // namespace orrery::script
