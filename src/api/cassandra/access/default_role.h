// The role that a fresh Cassandra has: cassandra, with the password cassandra, a superuser.
//
// Everybody knows that password, so it opens the server only while the server says it serves this
// machine alone (role_access.h). The role itself is like any other and can be altered and dropped.
#pragma once

#include <string_view>

#include "api/cassandra/access/role_set.h"

namespace orrery::cassandra {

inline constexpr std::string_view kDefaultRole = "cassandra";
inline constexpr std::string_view kDefaultPassword = "cassandra";
// Of kDefaultPassword. Fixed because there is nothing to protect, and bcrypt would delay the start.
inline constexpr std::string_view kDefaultSaltedHash =
    "$2a$10$orreryDefaultRole.....aQab/2EyYOsmScdjxrLU/vbHL1YOp2m";

inline RoleSet DefaultRoles() {
  Role role;
  role.name = kDefaultRole;
  role.is_superuser = true;
  role.can_login = true;
  role.salted_hash = kDefaultSaltedHash;
  RoleSet roles;
  roles.Put(std::move(role));
  return roles;
}

}  // namespace orrery::cassandra
