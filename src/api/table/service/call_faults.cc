#include "api/table/service/call_faults.h"

#include <string_view>
#include <utility>

#include "api/table/executor/tables.h"
#include "net/http/cut_connection.h"

namespace orrery::table {
namespace {

using gateway::FaultKind;
using gateway::FaultOperation;

struct FaultedOperation {
  FaultOperation family;
  std::string_view name;
};

FaultedOperation FaultedOperationOf(Operation operation) {
  switch (operation) {
    case Operation::kGetEntity:
      return {FaultOperation::kRead, "GetEntity"};
    case Operation::kQueryEntities:
      return {FaultOperation::kQuery, "QueryEntities"};
    case Operation::kInsertEntity:
      return {FaultOperation::kWrite, "InsertEntity"};
    case Operation::kReplaceEntity:
      return {FaultOperation::kWrite, "UpdateEntity"};
    case Operation::kMergeEntity:
      return {FaultOperation::kWrite, "MergeEntity"};
    case Operation::kInsertOrReplaceEntity:
      return {FaultOperation::kWrite, "InsertOrReplaceEntity"};
    case Operation::kInsertOrMergeEntity:
      return {FaultOperation::kWrite, "InsertOrMergeEntity"};
    case Operation::kDeleteEntity:
      return {FaultOperation::kWrite, "DeleteEntity"};
    case Operation::kBatch:
      return {FaultOperation::kBatch, "EntityGroupTransaction"};
    default:
      return {FaultOperation::kMetadata, {}};
  }
}

Outcome<Reply> OutcomeOfFault(const gateway::Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kCut:
      return Reply{.status = net::kCutStatus};
    case FaultKind::kThrottled:
      return std::unexpected(
          ErrorResponse(Error::Throttled("a fault on demand", fault.retry_after_ms)));
    case FaultKind::kTimeout:
      return Refuse(ErrorCode::kOperationTimedOut);
    default:
      return Refuse(ErrorCode::kServerBusy);
  }
}

}  // namespace

bool MeetsFault(gateway::FaultPlan& faults, Call& call, const net::CallHandler<Call>& handler) {
  const FaultedOperation operation = FaultedOperationOf(call.operation);
  const auto fault = faults.Decide({.api = gateway::FaultApi::kTable,
                                    .database = kDatabase,
                                    .container = call.address.table,
                                    .operation = operation.family,
                                    .name = operation.name});
  if (!fault.has_value()) return false;
  if (fault->kind == FaultKind::kDelay) {
    faults.Later(fault->delay,
                 [call = std::move(call), &handler]() mutable { handler(std::move(call)); });
    return true;
  }
  if (!fault->after) {
    Answer(call, OutcomeOfFault(*fault));
    return true;
  }
  call.respond = [respond = std::move(call.respond), fault = *fault](
                     const Outcome<Reply>&, const net::HttpRequest& request,
                     const RequestOptions& options) mutable {
    respond(OutcomeOfFault(fault), request, options);
  };
  return false;
}

}  // namespace orrery::table
