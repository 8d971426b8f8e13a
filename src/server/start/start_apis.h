// StartApis opens the ports of the APIs, one function for each API. Each fills its parts of the
// server and leaves them null where the settings close its ports.
#pragma once

#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "server/server_parts.h"

namespace orrery::server {

// Makes the service of the SQL API; its ports are opened by StartHttp and StartSqlDirect.
void MakeSql(const cli::ServerSettings& settings, ServerParts& parts);
// Opens the port that the SQL API shares with the admin interface and the explorer.
// REQUIRES: MakeSql was called, and the portal is there.
Status StartHttp(const cli::ServerSettings& settings, ServerParts& parts);
Status StartSqlDirect(const cli::ServerSettings& settings, ServerParts& parts);
Status StartTable(const cli::ServerSettings& settings, ServerParts& parts);
Status StartCassandra(const cli::ServerSettings& settings, ServerParts& parts);
Status StartMongo(const cli::ServerSettings& settings, ServerParts& parts);
Status StartGremlin(const cli::ServerSettings& settings, ServerParts& parts);

// Opens the port of health checks alone.
Status StartHealth(const cli::ServerSettings& settings, ServerParts& parts);

}  // namespace orrery::server
