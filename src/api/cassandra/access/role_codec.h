// Roles as the catalog keeps them: the database system_auth, whose `extra` is
//
//   {"api": "cassandra-roles", "version": 1,
//    "roles": [{"name", "superuser"?, "login"?, "saltedHash"?, "memberOf"?: [names],
//               "datacenters"?: [names], "grants"?: [{"resource", "permissions": [names]}]}]}
//
// By its "api" it is no keyspace (schema/codec/definition.h). docs/format/roles.md has an example.
#pragma once

#include <optional>
#include <string_view>

#include "api/cassandra/access/role_set.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::cassandra {

inline constexpr std::string_view kRolesDatabase = "system_auth";

// Returns whether the extra document of a database is a set of roles.
bool HoldsRoles(const std::optional<model::Document>& extra);

model::Document EncodeRoles(const RoleSet& roles);

// kCorruption names what is damaged, kUnsupported a newer version.
Result<RoleSet> DecodeRoles(const model::Document& document);

}  // namespace orrery::cassandra
