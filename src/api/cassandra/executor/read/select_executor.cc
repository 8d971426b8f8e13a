#include "api/cassandra/executor/read/select_executor.h"

#include "api/cassandra/executor/read/answer_memory.h"
#include "api/cassandra/executor/read/point_read.h"

namespace orrery::cassandra {
namespace {

// A point read that has to wait for the disk.
struct WaitingPoint {
  std::shared_ptr<const SelectPlan> plan;
  ColumnShapePtr shape;
  std::shared_ptr<const KeptValues> values;
  uint32_t now_s = 0;
  FunctionContext functions;
  RequestContext context;
  SelectRun::Done done;
};

// An answer from a thread of the pool may have to wait for its connection's loop.
void Count(Outcome& outcome, const std::shared_ptr<ByteBudget>& answers) {
  auto* const result = std::get_if<RowsOutcome>(&outcome.result);
  if (result == nullptr) return;
  result->memory = ByteShare(answers);
  if (!HoldAnswer(result->memory, result->cells.size())) outcome.result = TooManyAnswers();
}

// Returns whether a point read may have to report or to know where a page ends.
bool IsPaged(const SelectRequest& request) {
  if (request.parameters.paging_state.has_value()) return true;
  return request.parameters.page_rows == 1 && request.plan->table->clustering_count > 0;
}

}  // namespace

void SelectExecutor::Run(const SelectRequest& request, SelectRun::Done done) const {
  if (request.plan->point.has_value() && !IsPaged(request))
    return RunPoint(request, std::move(done));
  std::make_shared<SelectRun>(parts_, request, std::move(done))->Start();
}

void SelectExecutor::RunPoint(const SelectRequest& request, SelectRun::Done done) const {
  const Micros now = parts_.rows.clock().Now();
  const uint32_t now_s = NowSeconds(request, now);
  FunctionContext functions{now, parts_.uuids};
  Evaluation evaluation;
  evaluation.values = request.parameters.values;
  evaluation.functions = &functions;
  const PointQuestion question{*request.plan, request.shape, evaluation, now_s};
  if (auto outcome = ReadPoint(parts_.rows, question, storage::ReadMode::kCachedOnly))
    return done(*std::move(outcome));

  auto waiting = std::make_shared<WaitingPoint>(WaitingPoint{
      request.plan, request.shape, std::make_shared<KeptValues>(request.parameters.values), now_s,
      functions, request.context, std::move(done)});
  const bool taken = parts_.rows.io_pool().Submit([parts = parts_, waiting] {
    if (const Status wanted = waiting->context.Check(); !wanted.has_value())
      return waiting->done(Outcome::Failed(ToCqlError(wanted.error())));
    Evaluation later;
    later.values = waiting->values->values();
    later.functions = &waiting->functions;
    const PointQuestion again{*waiting->plan, waiting->shape, later, waiting->now_s};
    Outcome outcome = *ReadPoint(parts.rows, again, storage::ReadMode::kMayBlock);
    Count(outcome, parts.answers);
    waiting->done(std::move(outcome));
  });
  if (!taken) waiting->done(Outcome::Failed(TooManyReads()));
}

}  // namespace orrery::cassandra
