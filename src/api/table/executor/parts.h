// CommandParts are what the commands of this API work with. All must outlive them.
#pragma once

#include "api/table/executor/tables.h"
#include "base/clock.h"
#include "gateway/gateway.h"

namespace orrery::table {

struct CommandParts {
  gateway::Gateway& gateway;
  const Clock& clock;
  Tables tables;
};

}  // namespace orrery::table
