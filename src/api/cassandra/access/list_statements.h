// LIST ROLES, LIST USERS and LIST PERMISSIONS: rows of what there is, as far as the client may see
// it. Pure.
#pragma once

#include "api/cassandra/access/role_edit.h"
#include "api/cassandra/executor/outcome.h"

namespace orrery::cassandra {

// A client that may not describe all roles sees its own.
CqlResult<Outcome> ListRoles(const AccessContext& context, const ast::ListRoles& statement);
CqlResult<Outcome> ListUsers(const AccessContext& context);
CqlResult<Outcome> ListPermissions(const AccessContext& context,
                                   const ast::ListPermissions& statement);

}  // namespace orrery::cassandra
