#include "api/mongo/access/role_directory.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "api/mongo/access/role_codec.h"
#include "api/mongo/error/error_map.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kRoleDatabase = "admin";
// A change of the record is made anew when another was faster.
constexpr int kRoleChangesMax = 16;

}  // namespace

EffectiveRights ResolveRoles(std::span<const RoleGrant> roles, std::span<const RoleRecord> known) {
  EffectiveRights rights;
  std::vector<RoleGrant> seen(roles.begin(), roles.end());
  std::deque<RoleGrant> next(roles.begin(), roles.end());
  while (!next.empty()) {
    const RoleGrant role = std::move(next.front());
    next.pop_front();
    if (IsBuiltInRole(role)) {
      rights.built_in.push_back(role);
      continue;
    }
    const auto found = std::ranges::find(known, role, &RoleRecord::name);
    if (found == known.end()) continue;
    AddPrivileges(rights.privileges, found->privileges);
    for (const RoleGrant& inherited : found->roles) {
      if (std::ranges::find(seen, inherited) != seen.end()) continue;
      seen.push_back(inherited);
      rights.roles.push_back(inherited);
      next.push_back(inherited);
    }
  }
  return rights;
}

std::vector<RoleRecord> RoleDirectory::List() const {
  const gateway::DatabaseRef admin = gateway_.catalog().snapshot()->Database(kRoleDatabase);
  return admin == nullptr ? std::vector<RoleRecord>() : ReadRoleRecords(admin->extra);
}

std::optional<RoleRecord> RoleDirectory::Find(const RoleGrant& name) const {
  for (RoleRecord& role : List()) {
    if (role.name == name) return std::move(role);
  }
  return std::nullopt;
}

EffectiveRights RoleDirectory::Resolve(std::span<const RoleGrant> roles) const {
  return ResolveRoles(roles, List());
}

Outcome RoleDirectory::Change(const std::function<Outcome(std::vector<RoleRecord>&)>& change) {
  gateway::Catalog& catalog = gateway_.catalog();
  for (int i = 0; i < kRoleChangesMax; ++i) {
    const auto admin = catalog.FindDatabase(kRoleDatabase);
    if (!admin.has_value()) {
      const auto made = catalog.CreateDatabase(std::string(kRoleDatabase), {});
      if (!made.has_value() && made.error().code() != Code::kAlreadyExists)
        return Refuse(made.error());
      continue;
    }
    std::vector<RoleRecord> roles = ReadRoleRecords(admin->extra);
    MONGO_TRY(change(roles));
    const auto updated =
        catalog.UpdateDatabase(kRoleDatabase, WithRoleRecords(admin->extra, roles), &*admin);
    if (updated.has_value()) return {};
    if (updated.error().code() != Code::kPreconditionFailed) return Refuse(updated.error());
  }
  return Refuse(ErrorCode::kWriteConflict, "the roles are being changed by others");
}

}  // namespace orrery::mongo
