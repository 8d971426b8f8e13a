// A server that only this process uses, to reach the data in a directory by the same calls as that
// of a running server: `orrery export --data` and `orrery import --data`.
//
// It listens on loopback at a free port, takes only a key that nobody else knows, and closes when
// it is destroyed. While it is there no other server can open the directory.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/verb/verb.h"

namespace orrery::server {

// Errors as of Server::Start. The directory is made when it is missing.
Result<std::unique_ptr<cli::PrivateServer>> OpenPrivately(const std::string& directory);

}  // namespace orrery::server
