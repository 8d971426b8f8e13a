#include "api/cassandra/access/role_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/access/role_codec.h"
#include "base/log.h"

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
  Picture picture{catalog.snapshot()->Database(kRolesDatabase), std::move(initial)};
  if (picture.source != nullptr && HoldsRoles(picture.source->extra)) {
    ORRERY_ASSIGN(picture.roles, DecodeRoles(*picture.source->extra));
  }
  return std::unique_ptr<RoleStore>(new RoleStore(catalog, std::move(picture)));
}

RoleStore::RoleStore(gateway::Catalog& catalog, Picture picture) : catalog_(catalog) {
  MutexLock lock(read_mutex_);
  picture.roles.FollowFrom({}, last_incarnation_);
  picture_.Store(std::make_shared<const Picture>(std::move(picture)));
}

std::shared_ptr<const RoleSet> RoleStore::Current() const {
  const auto picture = Look();
  return {picture, &picture->roles};
}

std::shared_ptr<const RoleStore::Picture> RoleStore::Look() const {
  gateway::DatabaseRef source = catalog_.snapshot()->Database(kRolesDatabase);
  if (auto known = picture_.Load(); known->source == source) return known;
  MutexLock lock(read_mutex_);
  // Another caller may have read it meanwhile, or one that is newer still.
  source = catalog_.snapshot()->Database(kRolesDatabase);
  const auto former = picture_.Load();
  if (former->source == source) return former;
  Picture next{source, former->roles};
  if (source != nullptr && HoldsRoles(source->extra)) {
    auto decoded = DecodeRoles(*source->extra);
    if (decoded.has_value()) {
      next.roles = *std::move(decoded);
      next.roles.FollowFrom(former->roles, last_incarnation_);
    } else {
      LogError("the changed roles cannot be read, those before stay: {}",
               decoded.error().ToString());
    }
  }
  auto shared = std::make_shared<const Picture>(std::move(next));
  picture_.Store(shared);
  return shared;
}

CqlStatus RoleStore::Change(const Edit& edit) {
  MutexLock lock(change_mutex_);
  for (int attempt = 1;; ++attempt) {
    const auto now = Look();
    CQL_ASSIGN(std::optional<RoleSet> next, edit(now->roles));
    if (!next.has_value() || *next == now->roles) return {};
    CQL_TRY(CheckSize(*next));
    const Status written = Write(now->source, *next);
    if (written.has_value()) return {};
    if (written.error().code() == Code::kTooLarge)
      return Invalid("The roles and their permissions are more than can be stored");
    const bool outrun = catalog_.snapshot()->Database(kRolesDatabase) != now->source;
    if (!outrun || attempt == kAttemptsMax) return std::unexpected(ToCqlError(written.error()));
  }
}

Status RoleStore::Write(const gateway::DatabaseRef& made_of, const RoleSet& roles) {
  model::Document document = EncodeRoles(roles);
  if (made_of == nullptr) {
    ORRERY_TRY(catalog_.CreateDatabase(std::string(kRolesDatabase), {}, std::move(document)));
    return {};
  }
  if (!HoldsRoles(made_of->extra)) {
    return Fail(Code::kPreconditionFailed,
                fmt::format("database '{}', where roles are kept, is used for something else",
                            kRolesDatabase));
  }
  ORRERY_TRY(catalog_.UpdateDatabase(kRolesDatabase, std::move(document), made_of.get()));
  return {};
}

}  // namespace orrery::cassandra
