#include "api/table/executor/change_run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/table/executor/change_program.h"

namespace orrery::table {
namespace {

ChangesDone DoneOf(gateway::WriteResponse response) {
  ChangesDone done{.charge = response.charge, .results = std::move(response.results)};
  if (!response.status.has_value()) {
    done.error = ErrorResponse(response.status.error());
    done.failed = response.failed_operation.value_or(0);
  } else if (const auto failed = FailedChangeIn(response.outcome)) {
    done.error = ErrorResponse(failed->code);
    done.failed = failed->index;
  }
  if (done.error.has_value()) done.error->charge = response.charge;
  return done;
}

}  // namespace

void MakeChanges(gateway::Gateway& gateway, gateway::ContainerRef table,
                 std::vector<EntityChange> changes,
                 std::move_only_function<void(ChangesDone)> done) {
  gateway::KeyValues key = {model::Value::String(changes.front().partition_key)};
  auto finish = [done = std::move(done)](gateway::WriteResponse response) mutable {
    done(DoneOf(std::move(response)));
  };
  if (std::ranges::any_of(changes, &EntityChange::looks_first)) {
    const gateway::ProgramRequest request{
        .container = std::move(table),
        .partition_key = std::move(key),
        .program = std::make_shared<const ChangeProgram>(std::move(changes))};
    gateway.Run(request, std::move(finish));
    return;
  }
  gateway::WriteRequest request{
      .container = std::move(table), .partition_key = std::move(key), .operations = {}};
  for (EntityChange& change : changes)
    request.operations.push_back(PlainOperation(std::move(change)));
  gateway.Write(std::move(request), std::move(finish));
}

}  // namespace orrery::table
