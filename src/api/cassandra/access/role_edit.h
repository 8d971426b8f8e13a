// A RoleEdit is what a statement on roles and permissions changes: the roles as they will be, or an
// error.
//
// One function a statement, each with the checks that it needs, in Cassandra's order and words:
// role_statements.cc has those on roles, permission_statements.cc those on permissions,
// list_statements.h those that only show. Pure but for the salt of a new password.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/access/authority.h"
#include "api/cassandra/access/role_set.h"
#include "api/cassandra/parser/ast/access.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

// The context of a statement beside its tree. Views: all must outlive the call.
struct AccessContext {
  const RoleSet& roles;
  const Authority& authority;
  const Client& client;
  const Schema& schema;
  std::string_view account;     // no role can have its name
  std::string_view datacenter;  // the one there is
  int password_rounds = 0;
};

struct RoleEdit {
  std::optional<RoleSet> next;  // none: nothing changes
  std::vector<std::string> warnings;
};

CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::CreateRole& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::AlterRole& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::DropRole& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::GrantRole& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::RevokeRole& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::GrantPermissions& statement);
CqlResult<RoleEdit> PlanEdit(const AccessContext& context, const ast::RevokePermissions& statement);

}  // namespace orrery::cassandra
