// Roles at work: who may come in, what they may do, and the statements that change that.
//
// Three interfaces of one object. The server logs clients in by it (Authenticator), the executor
// asks it before each statement and runs role statements with it (AccessPolicy), the tables of
// system_auth show it (RoleReader). role_store.h keeps the roles, authority.h decides, role_edit.h
// and list_statements.h are the statements.
//
// Thread-safe. Require takes a snapshot and no lock; Login and Run may block.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/access/password.h"
#include "api/cassandra/access/password_checks.h"
#include "api/cassandra/access/role_store.h"
#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/authenticator.h"
#include "api/cassandra/schema/schema_cache.h"
#include "api/cassandra/system/role_reader.h"
#include "base/clock.h"
#include "gateway/account/accounts.h"

namespace orrery::cassandra {

struct AccessOptions {
  // Every listener is on loopback: the default role may come in with its well-known password, and
  // is there when no roles are stored yet.
  bool is_local = false;
  std::string datacenter = "datacenter1";
  int password_rounds = kPasswordRoundsDefault;
};

class RoleAccess final : public AccessPolicy, public Authenticator, public RoleReader {
 public:
  // kCorruption, kUnsupported when the stored roles cannot be read: then nobody comes in. All
  // references must outlive it.
  static Result<std::unique_ptr<RoleAccess>> Open(gateway::Catalog& catalog,
                                                  const SchemaCache& schema,
                                                  const gateway::Accounts& accounts,
                                                  const Clock& clock, AccessOptions options);

  // The account's name with one of its keys, or a role with LOGIN and its password.
  CqlResult<Client> Login(std::string_view user, std::string_view password) override;

  CqlStatus Require(const Client& client, ast::Permission permission,
                    const Resource& resource) const override;
  // REQUIRES: a statement on roles or permissions.
  CqlResult<Outcome> Run(const ast::Statement& statement, const Client& client) override;
  // A failure to write is logged: what was made or dropped stays so.
  void Created(const Client& client, const Resource& resource) override;
  void Dropped(const Resource& resource) override;

  CqlResult<std::vector<RoleFacts>> Roles() const override;
  CqlResult<std::vector<PermissionFacts>> Permissions() const override;

 private:
  RoleAccess(std::unique_ptr<RoleStore> store, const SchemaCache& schema,
             const gateway::Accounts& accounts, const Clock& clock, AccessOptions options);

  CqlResult<Client> LoginRole(std::string_view user, std::string_view password);
  template <typename Statement>
  CqlResult<Outcome> Change(const Statement& statement, const Client& client);
  template <typename Show>
  CqlResult<Outcome> List(const Client& client, const Show& show) const;

  const std::unique_ptr<RoleStore> store_;
  const SchemaCache& schema_;
  const gateway::Accounts& accounts_;
  const AccessOptions options_;
  PasswordChecks checks_;
};

}  // namespace orrery::cassandra
