// From a resource as a statement names it to its path, and whether it is there.
#pragma once

#include <string_view>

#include "api/cassandra/access/role_set.h"
#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/parser/ast/access.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

struct FoundResource {
  Resource resource;
  // Management beans, which this server has none of, always are.
  bool exists = false;
};

// `session` is the keyspace of USE, for tables only. Refused: a table without either, a function
// whose name does not say its keyspace, a function of the server itself.
CqlResult<FoundResource> LookUpResource(const ast::Resource& named, const Schema& schema,
                                        const RoleSet& roles, std::string_view session);

}  // namespace orrery::cassandra
