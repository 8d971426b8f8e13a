// A ConnectReport of a server tells clients how to reach it: ports and connection strings.
#pragma once

#include <string>

#include "cli/settings/server_settings.h"
#include "portal/handler/connect_handler.h"
#include "server/server_parts.h"

namespace orrery::server {

// Describes the ports that are open; `host` is the name by which the client came. Thread-safe.
portal::ConnectReport DescribeConnections(const cli::ServerSettings& settings,
                                          const ServerParts& parts, const std::string& host,
                                          bool with_key);

}  // namespace orrery::server
