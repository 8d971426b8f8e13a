#include "api/mongo/server/command_faults.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "api/mongo/command/operation/operation_facts.h"
#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/error/error_map.h"

namespace orrery::mongo {
namespace {

using gateway::FaultKind;
using gateway::FaultOperation;

constexpr std::array<std::string_view, 6> kFaultedQueries = {"find",     "aggregate", "count",
                                                             "distinct", "mapReduce", "getMore"};

// A filter that is `{_id: value}` and nothing else.
bool IsOfOneId(const CommandContext& context) {
  const auto filter = context.body().Find("filter");
  if (!filter.has_value() || filter->kind() != model::Kind::kObject) return false;
  const model::DocumentView conditions = filter->AsDocument();
  if (std::distance(conditions.begin(), conditions.end()) != 1) return false;
  const model::ElementView first = *conditions.begin();
  return first.name() == "_id" && first.kind() != model::Kind::kObject;
}

FaultOperation FamilyOf(const OperationFacts& facts, const CommandContext& context) {
  const std::string_view name = context.command.name();
  switch (facts.kind) {
    case OperationKind::kInsert:
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
      return facts.operations > 1 ? FaultOperation::kBatch : FaultOperation::kWrite;
    default:
      break;
  }
  if (name == "findAndModify" || name == "findandmodify") return FaultOperation::kWrite;
  if (name == "bulkWrite") return FaultOperation::kBatch;
  if (std::ranges::find(kFaultedQueries, name) == kFaultedQueries.end())
    return FaultOperation::kMetadata;
  return name == "find" && IsOfOneId(context) ? FaultOperation::kRead : FaultOperation::kQuery;
}

// Commands that go to the database "admin", whatever they are about.
bool IsOfNoDatabase(std::string_view command) {
  return command == "bulkWrite" || command == "commitTransaction" || command == "abortTransaction";
}

MongoError PlainErrorOfFault(const gateway::Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kThrottled:
      return ToMongoError(Error::Throttled("", fault.retry_after_ms));
    case FaultKind::kTimeout:
      return {static_cast<int32_t>(ErrorCode::kExceededTimeLimit), fault.Text()};
    case FaultKind::kGone:
      return ToMongoError(Error(Code::kMoved, fault.Text()));
    case FaultKind::kRetryWith:
      return ToMongoError(Error(Code::kPreconditionFailed, fault.Text()));
    default:
      return ToMongoError(Error(Code::kUnavailable, fault.Text()));
  }
}

}  // namespace

std::optional<gateway::Fault> FaultFor(gateway::FaultPlan& faults, const CommandEntry& entry,
                                       const CommandContext& context) {
  // What drivers do to find and watch the server.
  if (entry.action == Action::kNothing) return std::nullopt;
  const OperationFacts facts = FactsOf(context.command);
  return faults.Decide(
      {.api = gateway::FaultApi::kMongo,
       .database = IsOfNoDatabase(entry.name) ? std::string_view() : context.database(),
       .container = facts.collection,
       .operation = FamilyOf(facts, context),
       .name = entry.name});
}

MongoError ErrorOfFault(const gateway::Fault& fault, const CommandContext& context) {
  MongoError error = PlainErrorOfFault(fault);
  if (fault.code.has_value()) error.code = *fault.code;
  if (context.transaction_call.has_value()) AddTransientLabel(error);
  return error;
}

}  // namespace orrery::mongo
