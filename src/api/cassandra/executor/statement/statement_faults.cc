#include "api/cassandra/executor/statement/statement_faults.h"

#include <memory>
#include <utility>
#include <variant>

namespace orrery::cassandra {
namespace {

using gateway::FaultKind;
using gateway::FaultOperation;

// A FaultView is what a fault needs to know of a statement.
struct FaultView {
  const Table* table = nullptr;  // null: none
  FaultOperation operation = FaultOperation::kMetadata;
  std::string_view name;
  WriteType write_type = WriteType::kSimple;
};

std::string_view NameOf(ModificationPlan::Kind kind) {
  switch (kind) {
    case ModificationPlan::Kind::kInsert:
      return "INSERT";
    case ModificationPlan::Kind::kUpdate:
      return "UPDATE";
    case ModificationPlan::Kind::kDelete:
      return "DELETE";
  }
  return {};
}

FaultView ViewFor(const FaultedStatement& statement) {
  const WriteType batch =
      statement.is_logged_batch ? WriteType::kBatchLog : WriteType::kUnloggedBatch;
  const PlannedStatement::Plan& plan = statement.planned.plan;
  if (const auto* select = std::get_if<SelectPlanPtr>(&plan)) {
    const bool is_point = (*select)->point.has_value();
    return {.table = (*select)->table.get(),
            .operation = is_point ? FaultOperation::kRead : FaultOperation::kQuery,
            .name = "SELECT"};
  }
  if (const auto* modification = std::get_if<ModificationPlanPtr>(&plan)) {
    const Table* table = (*modification)->table.get();
    if (statement.is_batch) return {table, FaultOperation::kBatch, "BATCH", batch};
    return {table, FaultOperation::kWrite, NameOf((*modification)->kind),
            (*modification)->is_conditional() ? WriteType::kCas : WriteType::kSimple};
  }
  if (const auto* whole = std::get_if<std::shared_ptr<const BatchPlan>>(&plan)) {
    const auto& statements = (*whole)->statements;
    return {statements.empty() ? nullptr : statements.front()->table.get(), FaultOperation::kBatch,
            "BATCH", batch};
  }
  return {};
}

bool IsReading(const FaultView& view) {
  return view.operation == FaultOperation::kRead || view.operation == FaultOperation::kQuery;
}

// A time-out says how far it got: one replica, which did not answer; or, of a read that a driver
// may try again by itself, one that answered without its data.
CqlError TimeoutOfFault(const gateway::Fault& fault, const FaultView& view, WriteType write_type,
                        Consistency consistency) {
  if (IsReading(view)) {
    return {ErrorCode::kReadTimeout, fault.Text(), ReadTimeoutDetails{{consistency, 1, 1}, false},
            0};
  }
  return {ErrorCode::kWriteTimeout, fault.Text(),
          WriteTimeoutDetails{{consistency, 0, 1}, write_type, 0}, 0};
}

CqlError CqlErrorOfFault(const gateway::Fault& fault, const FaultView& view,
                         Consistency consistency) {
  switch (fault.kind) {
    case FaultKind::kThrottled:
      return {ErrorCode::kOverloaded, fault.Text(), {}, fault.retry_after_ms};
    case FaultKind::kTimeout:
      return TimeoutOfFault(fault, view, view.write_type, consistency);
    case FaultKind::kRetryWith:
      // Cassandra's word for writers that were in each other's way.
      return TimeoutOfFault(fault, view, WriteType::kCas, consistency);
    default:
      return {ErrorCode::kUnavailable, fault.Text(), UnavailableDetails{consistency, 1, 0}, 0};
  }
}

Outcome OutcomeOfFault(const gateway::Fault& fault, const FaultView& view,
                       Consistency consistency) {
  Outcome outcome = Outcome::Failed(CqlErrorOfFault(fault, view, consistency));
  outcome.cuts_connection = fault.kind == FaultKind::kCut;
  return outcome;
}

}  // namespace

std::optional<StatementService::Done> MeetFault(gateway::FaultPlan& faults,
                                                const FaultedStatement& statement,
                                                StatementService::Done done) {
  const FaultView view = ViewFor(statement);
  gateway::FaultPoint point{.api = gateway::FaultApi::kCassandra,
                            .operation = view.operation,
                            .name = view.name};
  if (view.table != nullptr) {
    point.database = view.table->keyspace;
    point.container = view.table->name;
  } else {
    point.database = statement.planned.keyspace;
  }
  const auto fault = faults.Decide(point);
  if (!fault.has_value()) return done;
  if (fault->kind == FaultKind::kDelay) {
    return [&faults, delay = fault->delay, done = std::move(done)](Outcome outcome) mutable {
      faults.Later(delay, [done = std::move(done), outcome = std::move(outcome)]() mutable {
        done(std::move(outcome));
      });
    };
  }
  Outcome faulty = OutcomeOfFault(*fault, view, statement.consistency);
  if (!fault->after) {
    done(std::move(faulty));
    return std::nullopt;
  }
  return [done = std::move(done), faulty = std::move(faulty)](const Outcome&) mutable {
    done(std::move(faulty));
  };
}

}  // namespace orrery::cassandra
