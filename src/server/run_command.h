// Runs a command with a server beside it, as the `run` verb does: tests and applications get a
// throw-away server by one word in front of their own command.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/settings/server_settings.h"

namespace orrery::server {

// Starts a server, runs `command` with the variables of server/endpoints.h in its environment,
// waits for it, stops the server, and returns the command's exit code: 128 and the number of the
// signal that ended it, 127 if it was not found. SIGTERM and SIGHUP are passed on to the command;
// Ctrl-C reaches it by the terminal.
// REQUIRES: called from the main thread before any other thread was started; `command` is not
// empty.
Result<int> RunCommand(const cli::ServerSettings& settings,
                       const std::vector<std::string>& command);

}  // namespace orrery::server
