// Roles as the catalog keeps them, in the `extra` of the database "admin":
//   {mongo: {roles: [{role, db, privileges: [{resource: {...}, actions: [...]}],
//                     roles: [{role, db}]}]}}
// Privileges have the form in which clients write them: a resource is {db, collection},
// {cluster: true} or {anyResource: true}.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/mongo/access/role.h"
#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

// kFailedToParse, kBadValue for what is none.
Answer<Privilege> ReadPrivilege(model::DocumentView privilege);
void AppendPrivileges(model::DocumentBuilder& builder, std::string_view name,
                      const std::vector<Privilege>& privileges);
void AppendGrants(model::DocumentBuilder& builder, std::string_view name,
                  const std::vector<RoleGrant>& roles);

// Malformed roles are left out.
std::vector<RoleRecord> ReadRoleRecords(const std::optional<model::Document>& extra);
// `extra` with these roles in the place of the former ones; everything else in it stays.
model::Document WithRoleRecords(const std::optional<model::Document>& extra,
                                const std::vector<RoleRecord>& roles);

}  // namespace orrery::mongo
