// AccessPolicy is the access control that the statement executor asks. The module access/ has the
// roles behind it.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/parser/ast/statement.h"
#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

// Something that permissions are given on, by its place in a tree: a permission on "data/ks" holds
// for "data/ks/t" too. The texts are those of system_auth.
struct Resource {
  std::string path;

  static Resource AllKeyspaces() { return {"data"}; }
  static Resource Keyspace(std::string_view keyspace);                       // data/ks
  static Resource Table(std::string_view keyspace, std::string_view table);  // data/ks/t
  static Resource AllFunctions() { return {"functions"}; }
  static Resource Functions(std::string_view keyspace);  // functions/ks
  // functions/ks/f[int^text]
  static Resource Function(std::string_view keyspace, std::string_view function,
                           const std::vector<std::string>& argument_types);
  static Resource AllRoles() { return {"roles"}; }
  static Resource Role(std::string_view role);  // roles/r

  friend auto operator<=>(const Resource&, const Resource&) = default;
};

struct Requirement {
  ast::Permission permission;
  Resource resource;
};

// Thread-safe.
class AccessPolicy {
 public:
  virtual ~AccessPolicy() = default;

  // kUnauthorized: "User x has no SELECT permission on <table ks.t> or any of its parents".
  virtual CqlStatus Require(const Client& client, ast::Permission permission,
                            const Resource& resource) const = 0;

  // CREATE ROLE to LIST PERMISSIONS, with the checks that each of them needs. May block.
  virtual CqlResult<Outcome> Run(const ast::Statement& statement, const Client& client) = 0;

  // The creator of a resource may do anything with it.
  virtual void Created(const Client& client, const Resource& resource) = 0;
  // Permissions go with what they were on, and on all below it.
  virtual void Dropped(const Resource& resource) = 0;
};

}  // namespace orrery::cassandra
