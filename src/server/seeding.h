// Seeding loads a directory of files (cli/seed) into a data directory before its server starts, so
// that whoever finds a port open finds the data.
//
// A server of its own, on this machine's loopback with a random key, loads a second state of the
// data, which takes the place of the first when everything is loaded (server/staged_data.h): an
// error or a crash leaves the data as it was. SEEDED says which
// files were loaded: those are passed over by later starts, until their content changes.
#pragma once

#include <memory>

#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "script/engine.h"
#include "server/data_directory.h"

namespace orrery::server {

// REQUIRES: the settings name a seed directory, and nothing of `data` is open. The error has file,
// line and reason of what cannot be loaded.
Status SeedData(const cli::ServerSettings& settings, const DataDirectory& data,
                const std::shared_ptr<script::Engine>& scripts);

}  // namespace orrery::server
