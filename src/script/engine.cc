#include "script/engine.h"

#include <js/ArrayBuffer.h>
#include <js/Initialization.h>

#include <atomic>

#include "script/spidermonkey/allocation_cap.h"

namespace orrery::script {

Result<std::unique_ptr<Engine>> Engine::Start() {
  // The library's own state, not ours: it aborts on a second start.
  static std::atomic<bool> started = false;
  if (started.exchange(true)) {
    return Fail(Code::kPreconditionFailed, "this process already had a JavaScript engine");
  }
  ORRERY_TRY(InstallAllocationCap());
  if (const char* why = JS_InitWithFailureDiagnostic(); why != nullptr) {
    return Fail(Code::kInternal, why);
  }
  JS::SetLargeArrayBuffersEnabled(false);
  return std::unique_ptr<Engine>(new Engine());
}

Engine::~Engine() { JS_ShutDown(); }

}  // namespace orrery::script
