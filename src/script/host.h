// A Host is what a script may reach of the server: named functions, and a prelude that dresses
// them.
//
// Host functions run on the sandbox's thread, in the middle of the script, and may block; their
// time counts. A function that a script passes to one ("call me back with the result") can be
// queued with HostCall::Later: it runs when the script's current function has returned, as in any
// JavaScript event loop, and the run ends when nothing is queued.
//
// The script itself never sees the host object. The prelude does: it is the source of a function
// that gets the host object and puts onto globalThis what scripts should see, for example
//
//   function (host) {
//     globalThis.getContext = () => ({ getCollection: () => ({ createDocument(link, doc, done) {
//       return host.create(doc, done); } }) });
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "script/datum.h"

namespace orrery::script {

// One call of a host function. Lives as long as the call.
class HostCall {
 public:
  virtual ~HostCall() = default;

  // In the form that the HostFunction asked for. Functions among them are undefined (null in JSON):
  // see is_callback.
  std::span<const Datum> arguments() const { return arguments_; }

  // Returns whether the argument at `index` is a function.
  virtual bool is_callback(size_t index) const = 0;

  // Queues the function at `index` to be called with `arguments`. May be used more than once.
  // kResourceExhausted beyond kCallbacksPendingMax. REQUIRES: is_callback(index).
  virtual Status Later(size_t index, std::vector<Datum> arguments) = 0;

 protected:
  explicit HostCall(std::vector<Datum> arguments) : arguments_(std::move(arguments)) {}

 private:
  std::vector<Datum> arguments_;
};

struct HostFunction {
  std::string name;
  DatumForm arguments = DatumForm::kValue;
  // An Error is thrown into the script as an Error with its message and its code's name as `code`.
  // Left uncaught it comes back as a Failure of kHost with the same code.
  std::move_only_function<Result<Datum>(HostCall&)> body;
};

struct Host {
  std::vector<HostFunction> functions;
  std::string prelude;  // empty: scripts see nothing of the host
};

}  // namespace orrery::script
