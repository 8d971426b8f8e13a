// Makes changes of entities of one partition, all or none, by one write of the gateway or, where
// they depend on what is stored, by a program.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "api/table/executor/entity_change.h"
#include "api/table/protocol/error_response.h"
#include "gateway/gateway.h"

namespace orrery::table {

struct ChangesDone {
  RequestUnits charge{};
  std::vector<item::OperationResult> results{};  // one for each change
  // Set: nothing was changed, because of the change with that number.
  std::optional<ErrorResponse> error{};
  size_t failed = 0;
};

// `done` is called once, from any thread, and must not block. REQUIRES: changes is not empty; all
// have one partition key, and each another row key.
void MakeChanges(gateway::Gateway& gateway, gateway::ContainerRef table,
                 std::vector<EntityChange> changes,
                 std::move_only_function<void(ChangesDone)> done);

}  // namespace orrery::table
