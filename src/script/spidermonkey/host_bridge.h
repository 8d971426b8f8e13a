// The HostBridge carries calls between one run's script and its Host.
//
// Lives as long as the run. Functions that scripts passed to the host and that are to be called
// later wait here, in order.
#pragma once

#include <jsapi.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "script/host.h"

namespace orrery::script {

class HostBridge {
 public:
  // The host must outlive the bridge.
  HostBridge(JSContext* cx, Host& host);

  // Runs the prelude in the current realm. False with an exception pending.
  bool RunPrelude();

  // Calls back the function that has waited longest; false with an exception pending or when the
  // run has ended. REQUIRES: has_pending().
  bool CallNext();
  bool has_pending() const { return !pending_.empty(); }

  // The error of the host that `exception` was made from, or nullptr.
  const Error* ErrorBehind(JS::HandleValue exception) const;

 private:
  class Call;
  struct Pending {
    JS::PersistentRootedValue function;
    std::vector<Datum> arguments;
  };

  static bool OnCall(JSContext* cx, unsigned argc, JS::Value* vp);
  bool Invoke(HostFunction& function, const JS::CallArgs& args);
  bool Throw(Error error);
  JSObject* NewHostObject();

  JSContext* const cx_;
  Host& host_;
  std::deque<std::unique_ptr<Pending>> pending_;
  std::optional<Error> last_error_;
  JS::PersistentRootedValue last_exception_;
};

}  // namespace orrery::script
