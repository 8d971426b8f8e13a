// The demands that commands make on a client's privileges, for clients whose rights come from roles
// that users have defined. Built-in roles are judged by Action (access/principal.h).
#pragma once

#include <optional>
#include <vector>

#include "api/mongo/access/role.h"
#include "api/mongo/command/command_context.h"

namespace orrery::mongo {

// Nullopt for commands that only built-in roles allow.
std::optional<std::vector<Demand>> DemandsOf(const CommandContext& context);

// kUnauthorized unless the client may do this: by its built-in roles (`action`), or by privileges.
Outcome CheckRights(const MongoServices& services, const Client& client, Action action,
                    const std::vector<Demand>& demands);
// For stages and commands that read or write a collection beside the one that they name.
Outcome CheckMayRead(const MongoServices& services, const Client& client, const Namespace& name);
Outcome CheckMayWrite(const MongoServices& services, const Client& client, const Namespace& name);

}  // namespace orrery::mongo
