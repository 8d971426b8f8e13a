#include "api/cassandra/access/role_access.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/access/authority.h"
#include "api/cassandra/access/default_role.h"
#include "api/cassandra/access/list_statements.h"
#include "api/cassandra/access/resource_tree.h"
#include "api/cassandra/access/role_edit.h"
#include "base/log.h"

namespace orrery::cassandra {
namespace {

std::unexpected<CqlError> WrongCredentials(std::string_view user) {
  return Refuse(ErrorCode::kBadCredentials,
                fmt::format("Provided username {} and/or password are incorrect", user));
}

// A role that was dropped takes its sessions with it: they are not those of a later one of its
// name.
CqlStatus CheckRole(const RoleSet& roles, const Client& client) {
  const Role* const role = client.incarnation == 0 ? nullptr : roles.Find(client.role);
  if (role == nullptr || role->incarnation == client.incarnation) return {};
  return Refuse(ErrorCode::kUnauthorized,
                fmt::format("Role {} was dropped and created again: log in again", client.role));
}

}  // namespace

Result<std::unique_ptr<RoleAccess>> RoleAccess::Open(gateway::Catalog& catalog,
                                                     const SchemaCache& schema,
                                                     const gateway::Accounts& accounts,
                                                     const Clock& clock, AccessOptions options) {
  ORRERY_ASSIGN(auto store,
                RoleStore::Load(catalog, options.is_local ? DefaultRoles() : RoleSet{}));
  return std::unique_ptr<RoleAccess>(
      new RoleAccess(std::move(store), schema, accounts, clock, std::move(options)));
}

RoleAccess::RoleAccess(std::unique_ptr<RoleStore> store, const SchemaCache& schema,
                       const gateway::Accounts& accounts, const Clock& clock, AccessOptions options)
    : store_(std::move(store)),
      schema_(schema),
      accounts_(accounts),
      options_(std::move(options)),
      checks_(clock) {}

CqlResult<Client> RoleAccess::Login(std::string_view user, std::string_view password) {
  if (user != accounts_.name()) return LoginRole(user, password);
  const auto access = accounts_.CheckKey(password);
  if (!access.has_value()) return WrongCredentials(user);
  Client client;
  client.role = user;
  client.superuser = *access == gateway::Access::kReadWrite;
  client.read_only = !client.superuser;
  return client;
}

CqlResult<Client> RoleAccess::LoginRole(std::string_view user, std::string_view password) {
  const auto roles = store_->Current();
  const Role* const role = roles->Find(user);
  const bool has_password = role != nullptr && role->salted_hash.has_value();
  // Checked also when there is nothing to check, so that the time does not tell who exists.
  const bool matches = checks_.Matches(
      password, has_password ? *role->salted_hash : std::string(kDefaultSaltedHash));
  if (!has_password || !matches) return WrongCredentials(user);
  if (!options_.is_local && user == kDefaultRole && password == kDefaultPassword)
    return WrongCredentials(user);
  if (!role->can_login) {
    return Refuse(ErrorCode::kBadCredentials, fmt::format("{} is not permitted to log in", user));
  }
  if (role->datacenters.has_value() && !role->datacenters->contains(options_.datacenter)) {
    return Refuse(
        ErrorCode::kUnauthorized,
        fmt::format("You do not have access to this datacenter ({})", options_.datacenter));
  }
  Client client;
  client.role = user;
  client.incarnation = role->incarnation;
  client.superuser = roles->IsSuperuser(user);
  return client;
}

CqlStatus RoleAccess::Require(const Client& client, ast::Permission permission,
                              const Resource& resource) const {
  static const RoleSet kNobody;
  if (Authority::IsOwner(client, accounts_.name()))
    return Authority(kNobody, accounts_.name(), client).Require(permission, resource);
  const auto roles = store_->Current();
  CQL_TRY(CheckRole(*roles, client));
  return Authority(*roles, accounts_.name(), client).Require(permission, resource);
}

template <typename Statement>
CqlResult<Outcome> RoleAccess::Change(const Statement& statement, const Client& client) {
  const SchemaPtr schema = schema_.Current();
  Outcome outcome;
  CQL_TRY(store_->Change([&](const RoleSet& now) -> CqlResult<std::optional<RoleSet>> {
    CQL_TRY(CheckRole(now, client));
    const Authority authority(now, accounts_.name(), client);
    CQL_ASSIGN(RoleEdit edit, PlanEdit({.roles = now,
                                        .authority = authority,
                                        .client = client,
                                        .schema = *schema,
                                        .account = accounts_.name(),
                                        .datacenter = options_.datacenter,
                                        .password_rounds = options_.password_rounds},
                                       statement));
    outcome.warnings = std::move(edit.warnings);
    return std::move(edit.next);
  }));
  return outcome;
}

template <typename Show>
CqlResult<Outcome> RoleAccess::List(const Client& client, const Show& show) const {
  const auto roles = store_->Current();
  CQL_TRY(CheckRole(*roles, client));
  const SchemaPtr schema = schema_.Current();
  const Authority authority(*roles, accounts_.name(), client);
  return show(AccessContext{.roles = *roles,
                            .authority = authority,
                            .client = client,
                            .schema = *schema,
                            .account = accounts_.name(),
                            .datacenter = options_.datacenter,
                            .password_rounds = options_.password_rounds});
}

CqlResult<Outcome> RoleAccess::Run(const ast::Statement& statement, const Client& client) {
  return std::visit(
      [&]<typename Statement>(const Statement& each) -> CqlResult<Outcome> {
        if constexpr (requires(const AccessContext& context) { PlanEdit(context, each); }) {
          return Change(each, client);
        } else if constexpr (std::is_same_v<Statement, ast::ListRoles>) {
          return List(client,
                      [&](const AccessContext& context) { return ListRoles(context, each); });
        } else if constexpr (std::is_same_v<Statement, ast::ListUsers>) {
          return List(client, [](const AccessContext& context) { return ListUsers(context); });
        } else if constexpr (std::is_same_v<Statement, ast::ListPermissions>) {
          return List(client,
                      [&](const AccessContext& context) { return ListPermissions(context, each); });
        } else {
          return Refuse(ErrorCode::kServerError, "the statement is not about roles");
        }
      },
      statement);
}

void RoleAccess::Created(const Client& client, const Resource& resource) {
  const auto changed = store_->Change([&](const RoleSet& now) -> CqlResult<std::optional<RoleSet>> {
    if (now.Find(client.role) == nullptr) return std::nullopt;
    RoleSet next = now;
    next.Edit(client.role).grants[resource] = ApplicablePermissions(resource);
    return next;
  });
  if (!changed.has_value()) {
    LogError("role '{}' has no permissions on {}, which it made: {}", client.role,
             ResourceText(resource), changed.error().message);
  }
}

void RoleAccess::Dropped(const Resource& resource) {
  const auto changed = store_->Change([&](const RoleSet& now) -> CqlResult<std::optional<RoleSet>> {
    RoleSet next = now;
    next.Forget(resource);
    return next;
  });
  if (!changed.has_value()) {
    LogError("permissions on {}, which was dropped, are still there: {}", ResourceText(resource),
             changed.error().message);
  }
}

CqlResult<std::vector<RoleFacts>> RoleAccess::Roles() const {
  const auto roles = store_->Current();
  std::vector<RoleFacts> facts;
  for (const auto& [name, role] : roles->all()) {
    facts.push_back({.name = name,
                     .is_superuser = role.is_superuser,
                     .can_login = role.can_login,
                     .salted_hash = role.salted_hash,
                     .member_of = role.member_of,
                     .data_centers = role.datacenters});
  }
  return facts;
}

CqlResult<std::vector<PermissionFacts>> RoleAccess::Permissions() const {
  const auto roles = store_->Current();
  std::vector<PermissionFacts> facts;
  for (const auto& [name, role] : roles->all()) {
    for (const auto& [resource, permissions] : role.grants) {
      PermissionFacts each{.role = name, .resource = resource.path, .permissions = {}};
      for (const ast::Permission permission : permissions.Listed())
        each.permissions.emplace(PermissionName(permission));
      facts.push_back(std::move(each));
    }
  }
  return facts;
}

}  // namespace orrery::cassandra
