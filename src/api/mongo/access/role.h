// Roles that users define: privileges on resources, and other roles that they inherit from.
//
// A command demands actions on collections, databases or the cluster; a privilege grants actions on
// a resource. Values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/access/principal.h"

namespace orrery::mongo {

struct Resource {
  bool any = false;             // {anyResource: true}
  bool cluster = false;         // {cluster: true}
  std::string database = {};    // empty: every one
  std::string collection = {};  // empty: every one but those of the system
  friend bool operator==(const Resource&, const Resource&) = default;
};

struct Privilege {
  Resource resource;
  std::vector<std::string> actions;  // sorted
};

struct RoleRecord {
  RoleGrant name;
  std::vector<Privilege> privileges = {};
  std::vector<RoleGrant> roles = {};  // that it inherits from
};

// One action that a command needs. Without a collection: on the database as a whole.
struct Demand {
  std::string_view action;
  std::string database;
  std::string collection = {};
};

// The built-in roles and the privileges that roles come to, inherited ones included.
struct EffectiveRights {
  std::vector<RoleGrant> roles;  // all of them, without those that were asked about
  std::vector<RoleGrant> built_in;
  std::vector<Privilege> privileges;
};

// Returns whether the privileges together grant everything that is demanded.
bool Grants(std::span<const Privilege> privileges, std::span<const Demand> demands);

// Returns whether MongoDB has such an action.
bool IsKnownAction(std::string_view action);

// Adds privileges to a list: one entry for each resource.
void AddPrivileges(std::vector<Privilege>& list, std::span<const Privilege> added);
// Takes actions away again; resources without any are left out.
void RemovePrivileges(std::vector<Privilege>& list, std::span<const Privilege> removed);

}  // namespace orrery::mongo
