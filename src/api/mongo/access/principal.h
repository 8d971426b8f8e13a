// A Principal is who a connection acts as: a user with roles, and what these allow.
//
// Roles are MongoDB's built-in ones. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::mongo {

// The right that a command needs.
enum class Action : uint8_t {
  kNothing,      // anybody may, also without having logged in
  kLogIn,        // anybody who has logged in may
  kRead,         // documents, and what there is, of one database
  kWrite,        // documents, collections and indexes of one database
  kAdminister,   // options, statistics and profiles of one database
  kManageUsers,  // users of one database
  kMonitor,      // the server as a whole
  kManage,       // the server as a whole
};

struct RoleGrant {
  std::string role;
  std::string database;
  friend bool operator==(const RoleGrant&, const RoleGrant&) = default;
};

struct Principal {
  std::string user;
  std::string database;  // that knows the user
  std::vector<RoleGrant> roles = {};
};

// Returns whether there is such a role; some are of the admin database only.
bool IsBuiltInRole(const RoleGrant& role);

// Those of a database.
std::vector<RoleGrant> BuiltInRoles(std::string_view database);

// Returns whether any of the roles allows the action on a database.
bool Allows(std::span<const RoleGrant> roles, Action action, std::string_view database);

}  // namespace orrery::mongo
