#include "api/cassandra/access/role_set.h"

#include <algorithm>
#include <utility>

#include "api/cassandra/access/resource_tree.h"
#include "base/check.h"

namespace orrery::cassandra {

void RoleSet::FollowFrom(const RoleSet& former, uint64_t& last_incarnation) {
  for (auto& [name, role] : roles_) {
    const Role* const before = former.Find(name);
    role.incarnation = before != nullptr ? before->incarnation : ++last_incarnation;
  }
}

const Role* RoleSet::Find(std::string_view name) const {
  const auto found = roles_.find(name);
  return found == roles_.end() ? nullptr : &found->second;
}

std::vector<const Role*> RoleSet::RolesOf(std::string_view name, bool recursive) const {
  std::vector<const Role*> found;
  const Role* const first = Find(name);
  if (first == nullptr) return found;
  found.push_back(first);
  std::set<const Role*> seen = {first};
  for (size_t i = 0; i < found.size() && (recursive || i == 0); ++i) {
    for (const std::string& each : found[i]->member_of) {
      const Role* const role = Find(each);
      if (role != nullptr && seen.insert(role).second) found.push_back(role);
    }
  }
  return found;
}

bool RoleSet::IsMember(std::string_view name, std::string_view of) const {
  return std::ranges::any_of(RolesOf(name), [&](const Role* role) { return role->name == of; });
}

bool RoleSet::IsSuperuser(std::string_view name) const {
  return std::ranges::any_of(RolesOf(name), &Role::is_superuser);
}

bool RoleSet::Allows(std::string_view name, ast::Permission permission,
                     const Resource& resource) const {
  const std::vector<const Role*> roles = RolesOf(name);
  if (std::ranges::any_of(roles, &Role::is_superuser)) return true;
  for (std::optional<Resource> at = resource; at.has_value(); at = ParentOf(*at)) {
    for (const Role* role : roles) {
      const auto found = role->grants.find(*at);
      if (found != role->grants.end() && found->second.Has(permission)) return true;
    }
  }
  return false;
}

void RoleSet::Put(Role role) {
  std::string name = role.name;
  roles_.insert_or_assign(std::move(name), std::move(role));
}

void RoleSet::Erase(std::string_view name) {
  const auto found = roles_.find(name);
  if (found == roles_.end()) return;
  Forget(Resource::Role(name));
  const std::string gone = found->first;
  roles_.erase(found);
  for (auto& [other, role] : roles_) role.member_of.erase(gone);
}

void RoleSet::Forget(const Resource& resource) {
  for (auto& [name, role] : roles_) {
    std::erase_if(role.grants, [&](const auto& grant) { return IsWithin(grant.first, resource); });
  }
}

Role& RoleSet::Edit(std::string_view name) {
  const auto found = roles_.find(name);
  ORRERY_CHECK(found != roles_.end());
  return found->second;
}

}  // namespace orrery::cassandra
