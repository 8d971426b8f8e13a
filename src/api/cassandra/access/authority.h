// An Authority says what one client may do, by the roles of one moment.
//
// Nobody had to log in, or came with the account's key: everything. With a read-only key: what
// changes nothing. Everyone else: what the role or one it is a member of was granted, on the
// resource or above it; superusers all. Whether a role is a superuser is looked up each time, so
// what is revoked is gone at once, also for clients that are connected.
//
// System keyspaces are apart: everybody reads most of them, nobody changes them.
//
// A view: all it is made of must outlive it. Pure.
#pragma once

#include <string_view>

#include "api/cassandra/access/role_set.h"
#include "api/cassandra/executor/access_policy.h"
#include "api/cassandra/executor/client.h"
#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

class Authority {
 public:
  // `account` is the name that comes with keys instead of a password; no role has it.
  Authority(const RoleSet& roles, std::string_view account, const Client& client)
      : roles_(roles), account_(account), client_(client) {}

  // Returns whether the client is neither a role nor bound by one.
  static bool IsOwner(const Client& client, std::string_view account) {
    return client.superuser && (client.role.empty() || client.role == account);
  }

  std::string_view user() const;  // "anonymous" when nobody had to log in
  bool is_superuser() const;
  // Returns whether the client's role is this one or a member of it.
  bool IsMemberOf(std::string_view role) const { return roles_.IsMember(client_.role, role); }

  // On the resource or above it.
  bool Holds(ast::Permission permission, const Resource& resource) const;
  // The same as a status, with Cassandra's message, with the rules of system keyspaces.
  CqlStatus Require(ast::Permission permission, const Resource& resource) const;
  // The same for statements on roles, which do not say what is missing.
  CqlStatus RequirePrivilege(ast::Permission permission, const Resource& role) const;

 private:
  bool is_owner() const { return IsOwner(client_, account_); }
  bool is_role() const { return !client_.role.empty() && client_.role != account_; }

  const RoleSet& roles_;
  const std::string_view account_;
  const Client& client_;
};

}  // namespace orrery::cassandra
