#include "api/sql/service/call_faults.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/handler/finder.h"
#include "net/http/cut_connection.h"

namespace orrery::sql {
namespace {

using gateway::FaultKind;
using gateway::FaultOperation;

struct FaultedOperation {
  FaultOperation family = FaultOperation::kMetadata;
  std::string_view name;
};

FaultedOperation FaultedOperationOf(const Call& call) {
  const bool is_document = call.path.type == ResourceType::kDocument;
  const FaultOperation write = is_document ? FaultOperation::kWrite : FaultOperation::kMetadata;
  switch (call.action) {
    case Action::kRead:
      return {is_document ? FaultOperation::kRead : FaultOperation::kMetadata, "Read"};
    case Action::kReadFeed:
      return {is_document ? FaultOperation::kQuery : FaultOperation::kMetadata, "ReadFeed"};
    case Action::kQuery:
      return {is_document ? FaultOperation::kQuery : FaultOperation::kMetadata, "Query"};
    case Action::kCreate:
      return {write, call.headers.upsert ? "Upsert" : "Create"};
    case Action::kReplace:
      return {write, "Replace"};
    case Action::kPatch:
      return {write, "Patch"};
    case Action::kDelete:
      return {write, "Delete"};
    case Action::kBatch:
      return {FaultOperation::kBatch, "Batch"};
    case Action::kExecute:
      return {FaultOperation::kScript, "Execute"};
    case Action::kQueryPlan:
      return {FaultOperation::kMetadata, "QueryPlan"};
    case Action::kResolveAddresses:
      return {FaultOperation::kMetadata, "ResolveAddresses"};
  }
  return {};
}

Failure FailureOfFault(const gateway::Fault& fault) {
  Failure failure{.message = fault.Text()};
  switch (fault.kind) {
    case FaultKind::kThrottled:
      failure = FailureOf(Error::Throttled("", fault.retry_after_ms));
      break;
    case FaultKind::kTimeout:
      failure.status = 408;
      break;
    case FaultKind::kGone:
      failure.status = 410;
      failure.substatus = Substatus::kPartitionKeyRangeGone;
      break;
    case FaultKind::kRetryWith:
      failure.status = 449;
      break;
    case FaultKind::kCut:
      failure.status = net::kCutStatus;
      break;
    case FaultKind::kUnavailable:
    case FaultKind::kDelay:
    case FaultKind::kSlow:
      failure.status = 503;
      break;
  }
  if (fault.code.has_value()) failure.substatus = static_cast<Substatus>(*fault.code);
  return failure;
}

}  // namespace

bool MeetsFault(gateway::FaultPlan& faults, const gateway::Catalog& catalog, Call& call,
                const Handler& handler) {
  const FaultedOperation operation = FaultedOperationOf(call);
  gateway::FaultPoint point{.api = gateway::FaultApi::kSql,
                            .operation = operation.family,
                            .name = operation.name};
  const std::vector<ResourceStep>& steps = call.path.steps;
  if (!steps.empty() && steps[0].type == ResourceType::kDatabase) point.database = steps[0].id;
  gateway::ContainerRef container;
  if (steps.size() > 1 && steps[1].type == ResourceType::kContainer) {
    point.container = steps[1].id;
    // The path may have resource ids instead of names.
    if (const auto found = Finder(catalog).Container(call.path, {}); found.has_value()) {
      container = found->container;
      point.database = container->database_name;
      point.container = container->settings.name;
    }
  }
  const auto fault = faults.Decide(point);
  if (!fault.has_value()) return false;
  if (fault->kind == FaultKind::kDelay) {
    faults.Later(fault->delay,
                 [call = std::move(call), &handler]() mutable { handler(std::move(call)); });
    return true;
  }
  if (!fault->after) {
    Answer(call, std::unexpected(ErrorResponse(FailureOfFault(*fault))));
    return true;
  }
  call.respond = [respond = std::move(call.respond), failure = FailureOfFault(*fault)](
                     const SqlResult<Reply>&, const AnswerFacts& facts) mutable {
    respond(std::unexpected(ErrorResponse(std::move(failure))), facts);
  };
  return false;
}

}  // namespace orrery::sql
