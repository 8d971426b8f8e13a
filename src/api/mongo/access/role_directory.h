// The RoleDirectory knows the roles that users have defined, and what roles come to.
//
// They are kept beside the users (role_codec.h); on a cluster every node sees them. A role that is
// changed or dropped has its effect on the next command. Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "api/mongo/access/role.h"
#include "api/mongo/error/mongo_error.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

class RoleDirectory {
 public:
  // The gateway must outlive it.
  explicit RoleDirectory(gateway::Gateway& gateway) : gateway_(gateway) {}

  std::vector<RoleRecord> List() const;
  std::optional<RoleRecord> Find(const RoleGrant& name) const;
  // Follows roles to the end. Roles that do not exist grant nothing.
  EffectiveRights Resolve(std::span<const RoleGrant> roles) const;
  // Changes the list of roles; again if another change was faster.
  Outcome Change(const std::function<Outcome(std::vector<RoleRecord>&)>& change);

 private:
  gateway::Gateway& gateway_;
};

// The same over a list of roles.
EffectiveRights ResolveRoles(std::span<const RoleGrant> roles, std::span<const RoleRecord> known);

}  // namespace orrery::mongo
