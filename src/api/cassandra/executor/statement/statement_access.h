// Computes the permissions that a statement needs.
#pragma once

#include <vector>

#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/statement/planned_statement.h"

namespace orrery::cassandra {

// Of its plan and the functions that it calls, for PlannedStatement::requirements. Role statements
// have none: AccessPolicy::Run checks them itself.
CqlResult<std::vector<Requirement>> RequirementsOf(const PlannedStatement& planned);

// The permissions on tables of a statement that reads or writes rows, before it is planned; those
// of unknown tables and other statements are left to RequireAccess.
CqlStatus RequireTables(const AccessPolicy& policy, const Client& client,
                        const ast::Statement& statement, const Schema& schema,
                        std::string_view keyspace);

CqlStatus RequireAccess(const AccessPolicy& policy, const Client& client,
                        const PlannedStatement& planned);

}  // namespace orrery::cassandra
