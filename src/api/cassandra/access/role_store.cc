#include "api/cassandra/access/role_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/access/role_codec.h"

namespace orrery::cassandra {
namespace {

CqlStatus CheckSize(const RoleSet& roles) {
  if (roles.all().size() > kRolesMax)
    return Invalid(fmt::format("There can be at most {} roles", kRolesMax));
  for (const auto& [name, role] : roles.all()) {
    if (role.grants.size() > kGrantsOfRoleMax) {
      return Invalid(fmt::format("Role {} can have permissions on at most {} resources", name,
                                 kGrantsOfRoleMax));
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RoleStore>> RoleStore::Load(gateway::Catalog& catalog, RoleSet initial) {
  const auto database = catalog.snapshot()->Database(kRolesDatabase);
  if (database != nullptr && HoldsRoles(database->extra)) {
    ORRERY_ASSIGN(initial, DecodeRoles(*database->extra));
  }
  return std::unique_ptr<RoleStore>(new RoleStore(catalog, std::move(initial)));
}

RoleStore::RoleStore(gateway::Catalog& catalog, RoleSet roles)
    : catalog_(catalog), roles_(std::make_shared<const RoleSet>(std::move(roles))) {}

CqlStatus RoleStore::Change(const Edit& edit) {
  MutexLock lock(change_mutex_);
  const auto now = roles_.Load();
  CQL_ASSIGN(std::optional<RoleSet> next, edit(*now));
  if (!next.has_value() || *next == *now) return {};
  CQL_TRY(CheckSize(*next));
  if (Status written = Write(*next); !written.has_value()) {
    if (written.error().code() == Code::kTooLarge)
      return Invalid("The roles and their permissions are more than can be stored");
    return std::unexpected(ToCqlError(written.error()));
  }
  roles_.Store(std::make_shared<const RoleSet>(*std::move(next)));
  return {};
}

Status RoleStore::Write(const RoleSet& roles) {
  model::Document document = EncodeRoles(roles);
  const auto database = catalog_.snapshot()->Database(kRolesDatabase);
  if (database == nullptr) {
    ORRERY_TRY(catalog_.CreateDatabase(std::string(kRolesDatabase), {}, std::move(document)));
    return {};
  }
  if (!HoldsRoles(database->extra)) {
    return Fail(Code::kPreconditionFailed,
                fmt::format("database '{}', where roles are kept, is used for something else",
                            kRolesDatabase));
  }
  ORRERY_TRY(catalog_.UpdateDatabase(kRolesDatabase, std::move(document)));
  return {};
}

}  // namespace orrery::cassandra
