// All roles at one moment: who they are, whose members they are, what they were granted.
//
// A value: role_store.h publishes one as an immutable snapshot, statements edit a copy. What a role
// has, its members have too, and their members; a role is found once however many ways lead to it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/access/permission_set.h"
#include "api/cassandra/executor/access_policy.h"

namespace orrery::cassandra {

inline constexpr size_t kRolesMax = 5'000;
inline constexpr size_t kRoleNameBytesMax = 255;
// Resources that one role has permissions on.
inline constexpr size_t kGrantsOfRoleMax = 5'000;

struct Role {
  std::string name;
  bool is_superuser = false;
  bool can_login = false;
  std::optional<std::string> salted_hash;            // none: no password, nobody comes in by it
  std::set<std::string> member_of;                   // directly
  std::optional<std::set<std::string>> datacenters;  // none: all
  std::map<Resource, PermissionSet> grants;          // none of them empty
  // The ordinal of the role among those that had this name since the server started, for those who
  // have logged in as one (role_store.h). From 1; not stored.
  uint64_t incarnation = 0;

  friend bool operator==(const Role&, const Role&) = default;
};

class RoleSet {
 public:
  const std::map<std::string, Role, std::less<>>& all() const { return roles_; }
  // Null when there is none.
  const Role* Find(std::string_view name) const;
  // Gives roles that `former` has, too, their incarnation there, and others the next numbers.
  void FollowFrom(const RoleSet& former, uint64_t& last_incarnation);

  // The role and, when `recursive`, all that it is a member of by others; else only directly. The
  // role itself comes first. None when there is no such role.
  std::vector<const Role*> RolesOf(std::string_view name, bool recursive = true) const;
  bool IsMember(std::string_view name, std::string_view of) const;  // of itself too
  // By itself or by a role that it is a member of.
  bool IsSuperuser(std::string_view name) const;
  // Granted to it or to a role that it is a member of, on the resource or above it; to superusers
  // everything is.
  bool Allows(std::string_view name, ast::Permission permission, const Resource& resource) const;

  // Puts the role in the place of one of its name.
  void Put(Role role);
  // With its memberships, and all permissions on it.
  void Erase(std::string_view name);
  // Nobody has permissions on the resource and on what is below it any longer.
  void Forget(const Resource& resource);
  // REQUIRES: the role is there.
  Role& Edit(std::string_view name);

  friend bool operator==(const RoleSet&, const RoleSet&) = default;

 private:
  std::map<std::string, Role, std::less<>> roles_;
};

}  // namespace orrery::cassandra
