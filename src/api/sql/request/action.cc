#include "api/sql/request/action.h"

#include <fmt/format.h>

namespace orrery::sql {
namespace {

Action PostOnFeed(const ResourcePath& path, const RequestHeaders& headers) {
  if (path.type == ResourceType::kPartitionKeyOperation) return Action::kExecute;
  if (headers.query_plan) return Action::kQueryPlan;
  if (headers.query) return Action::kQuery;
  if (headers.batch) return Action::kBatch;
  return Action::kCreate;
}

}  // namespace

SqlResult<Action> ActionOf(std::string_view method, const ResourcePath& path,
                           const RequestHeaders& headers) {
  const bool one = !path.feed && path.type != ResourceType::kAccount;
  if (method == "GET" || method == "HEAD") return path.feed ? Action::kReadFeed : Action::kRead;
  if (method == "POST" && path.feed) return PostOnFeed(path, headers);
  if (method == "POST" && path.type == ResourceType::kStoredProcedure) return Action::kExecute;
  if (method == "PUT" && one) return Action::kReplace;
  if (method == "PATCH" && one) return Action::kPatch;
  if (method == "DELETE" && one) return Action::kDelete;
  return Refuse(405, fmt::format("{} is not a method of this resource", method));
}

bool OnlyReads(Action action) {
  switch (action) {
    case Action::kRead:
    case Action::kReadFeed:
    case Action::kQuery:
    case Action::kQueryPlan:
    case Action::kResolveAddresses:
      return true;
    case Action::kCreate:
    case Action::kReplace:
    case Action::kPatch:
    case Action::kDelete:
    case Action::kBatch:
    case Action::kExecute:
      break;
  }
  return false;
}

}  // namespace orrery::sql
