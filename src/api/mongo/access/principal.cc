#include "api/mongo/access/principal.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace orrery::mongo {
namespace {

struct RoleRule {
  std::string_view role;
  bool everywhere = false;  // of the admin database only: holds for all databases
  std::array<Action, 5> actions{};
};

constexpr RoleRule kRoleRules[] = {
    {"read", false, {Action::kRead}},
    {"readWrite", false, {Action::kRead, Action::kWrite}},
    {"dbAdmin", false, {Action::kRead, Action::kAdminister}},
    {"userAdmin", false, {Action::kManageUsers}},
    {"dbOwner", false, {Action::kRead, Action::kWrite, Action::kAdminister, Action::kManageUsers}},
    {"readAnyDatabase", true, {Action::kRead}},
    {"readWriteAnyDatabase", true, {Action::kRead, Action::kWrite}},
    {"dbAdminAnyDatabase", true, {Action::kRead, Action::kAdminister}},
    {"userAdminAnyDatabase", true, {Action::kManageUsers}},
    {"clusterMonitor", true, {Action::kMonitor}},
    {"clusterManager", true, {Action::kMonitor, Action::kManage}},
    {"hostManager", true, {Action::kMonitor, Action::kManage}},
    {"clusterAdmin", true, {Action::kMonitor, Action::kManage}},
    {"backup", true, {Action::kRead, Action::kMonitor}},
    {"restore", true, {Action::kWrite, Action::kAdminister}},
};

const RoleRule* RuleOf(std::string_view role) {
  const auto* const found = std::ranges::find(kRoleRules, role, &RoleRule::role);
  return found == std::end(kRoleRules) ? nullptr : found;
}

}  // namespace

bool IsBuiltInRole(const RoleGrant& role) {
  if (role.role == "root") return role.database == "admin";
  const RoleRule* const rule = RuleOf(role.role);
  return rule != nullptr && (!rule->everywhere || role.database == "admin");
}

std::vector<RoleGrant> BuiltInRoles(std::string_view database) {
  std::vector<RoleGrant> roles;
  const bool is_admin = database == "admin";
  for (const RoleRule& rule : kRoleRules) {
    if (!rule.everywhere || is_admin)
      roles.push_back({std::string(rule.role), std::string(database)});
  }
  if (is_admin) roles.push_back({"root", "admin"});
  return roles;
}

bool Allows(std::span<const RoleGrant> roles, Action action, std::string_view database) {
  if (action == Action::kNothing || action == Action::kLogIn) return true;
  return std::ranges::any_of(roles, [&](const RoleGrant& grant) {
    if (grant.role == "root") return grant.database == "admin";
    const RoleRule* const rule = RuleOf(grant.role);
    if (rule == nullptr) return false;
    const bool holds_here =
        rule->everywhere ? grant.database == "admin" : grant.database == database;
    return holds_here && std::ranges::find(rule->actions, action) != rule->actions.end();
  });
}

}  // namespace orrery::mongo
