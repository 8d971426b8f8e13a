// Runs a server as the `serve` verb does: signals, the lines printed at the start, the exit.
#pragma once

#include <iosfwd>

#include "base/status.h"
#include "cli/settings/server_settings.h"

namespace orrery::server {

// Serves until SIGTERM, SIGINT or SIGHUP, then drains and returns; a second signal ends the process
// at once. The error of a server that could not start says what to change.
// REQUIRES: called from the main thread before any other thread was started.
Status Serve(const cli::ServerSettings& settings, std::ostream& out);

}  // namespace orrery::server
