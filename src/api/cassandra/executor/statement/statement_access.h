// Which permissions a statement needs.
#pragma once

#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/statement/planned_statement.h"

namespace orrery::cassandra {

// Role statements are none of these: AccessPolicy::Run checks them itself.
CqlStatus RequireAccess(const AccessPolicy& policy, const Client& client,
                        const PlannedStatement& planned);

// Of one statement of a batch.
CqlStatus RequireAccess(const AccessPolicy& policy, const Client& client,
                        const ModificationPlan& plan);

}  // namespace orrery::cassandra
