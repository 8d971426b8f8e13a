#include "api/cassandra/user_function/script_runner.h"

#include <exception>
#include <future>
#include <utility>

namespace orrery::cassandra {

Status ScriptRunner::Run(std::function<Status(script::Sandbox&)> work) const {
  std::promise<Status> promise;
  std::future<Status> outcome = promise.get_future();
  ORRERY_TRY(pool_.Run(
      [work = std::move(work), promise = std::move(promise)](script::Sandbox& sandbox) mutable {
        // The pool would only log it, and the caller wait forever.
        try {
          promise.set_value(work(sandbox));
        } catch (const std::exception& e) {
          promise.set_value(Fail(Code::kInternal, e.what()));
        }
      }));
  return outcome.get();
}

}  // namespace orrery::cassandra
