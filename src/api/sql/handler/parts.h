// What handlers work with. All must outlive the handlers.
#pragma once

#include "api/sql/list/list_query.h"
#include "base/clock.h"
#include "gateway/gateway.h"

namespace orrery::sql {

struct HandlerParts {
  gateway::Gateway& gateway;
  const Clock& clock;
  const ListQueries& queries;
};

}  // namespace orrery::sql
