#include "api/sql/script/run/script_executor.h"

#include <memory>
#include <utility>

namespace orrery::sql {
namespace {

// The pool does not give back a job that it has not taken, so `done` is shared with it.
template <typename Answer, typename Work>
void RunOnPool(script::WorkerPool& pool, std::move_only_function<void(Answer)> done, Work work,
               auto refused) {
  auto shared = std::make_shared<std::move_only_function<void(Answer)>>(std::move(done));
  const Status taken = pool.Run([shared, work = std::move(work)](script::Sandbox& sandbox) mutable {
    (*shared)(work(sandbox));
  });
  if (!taken.has_value()) (*shared)(refused(FailureOf(taken.error())));
}

}  // namespace

void ScriptExecutor::Run(ProcedureCall call, std::move_only_function<void(ProcedureAnswer)> done) {
  RunOnPool<ProcedureAnswer>(
      pool_, std::move(done),
      [this, call = std::move(call)](script::Sandbox& sandbox) {
        return RunProcedure(parts_, sandbox, call);
      },
      [](Failure failure) {
        ProcedureAnswer answer;
        answer.body = std::unexpected(std::move(failure));
        return answer;
      });
}

void ScriptExecutor::Write(TriggeredWrite write,
                           std::move_only_function<void(TriggeredAnswer)> done) {
  RunOnPool<TriggeredAnswer>(
      pool_, std::move(done),
      [this, write = std::move(write)](script::Sandbox& sandbox) {
        return WriteWithTriggers(parts_, sandbox, write);
      },
      [](Failure failure) {
        TriggeredAnswer answer;
        answer.written = std::unexpected(std::move(failure));
        return answer;
      });
}

}  // namespace orrery::sql
