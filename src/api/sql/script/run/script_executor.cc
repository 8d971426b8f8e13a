#include "api/sql/script/run/script_executor.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "api/sql/script/run/script_failure.h"

namespace orrery::sql {
namespace {

// Behind the time of the script, for what its transaction waits for.
constexpr std::chrono::milliseconds kTransactionSlack{1'000};

// Answers once, whoever comes first: the job, or the pool that gives it up.
template <typename Answer>
class OneAnswer {
 public:
  explicit OneAnswer(std::move_only_function<void(Answer)> done) : done_(std::move(done)) {}
  void operator()(Answer answer) {
    if (!is_given_.exchange(true)) done_(std::move(answer));
  }

 private:
  std::atomic<bool> is_given_ = false;
  std::move_only_function<void(Answer)> done_;
};

template <typename Answer, typename Work>
void RunOnPool(script::WorkerPool& pool, std::chrono::milliseconds time_max,
               std::move_only_function<void(Answer)> done, Work work, auto refused) {
  const auto answer = std::make_shared<OneAnswer<Answer>>(std::move(done));
  const Status taken = pool.Run(
      {.work = [answer, work = std::move(work)](
                   script::Sandbox& sandbox) mutable { (*answer)(work(sandbox)); },
       .give_up =
           [answer, refused](const script::Failure& failure) {
             (*answer)(refused(failure.code == Code::kOverloaded ? FailureOf(failure.ToError())
                                                                 : FailureOfScript(failure)));
           },
       .time_max = time_max + kTransactionSlack});
  if (!taken.has_value()) (*answer)(refused(FailureOf(taken.error())));
}

}  // namespace

void ScriptExecutor::Run(ProcedureCall call, std::move_only_function<void(ProcedureAnswer)> done) {
  RunOnPool<ProcedureAnswer>(
      pool_, parts_.limits.time, std::move(done),
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
      pool_, parts_.limits.time, std::move(done),
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
