// A RoleReader reads the roles and their permissions: for the tables of system_auth.
//
// Reading only; what changes roles and what checks them is elsewhere.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

struct RoleFacts {
  std::string name;
  bool is_superuser = false;
  bool can_login = false;
  std::optional<std::string> salted_hash;  // none: no password
  std::set<std::string> member_of;         // directly
  // The data centers in which the role may log in, when that is restricted.
  std::optional<std::set<std::string>> data_centers;
};

struct PermissionFacts {
  std::string role;
  std::string resource;               // "data/ks/table", "roles/admin", "functions"
  std::set<std::string> permissions;  // "SELECT", "MODIFY", ...
};

// Thread-safe; may block.
class RoleReader {
 public:
  virtual ~RoleReader() = default;
  virtual CqlResult<std::vector<RoleFacts>> Roles() const = 0;
  virtual CqlResult<std::vector<PermissionFacts>> Permissions() const = 0;
};

}  // namespace orrery::cassandra
