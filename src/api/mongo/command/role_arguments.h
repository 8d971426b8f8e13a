// Names of roles in the arguments of commands.
#pragma once

#include <optional>
#include <vector>

#include "api/mongo/access/principal.h"
#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// Roles are given by name, of the command's database, or as {role, db}. kRoleNotFound for one that
// does not exist.
Answer<std::vector<RoleGrant>> ReadRoleNames(const CommandContext& context,
                                             std::optional<model::DocumentView> list);

}  // namespace orrery::mongo
