// Copies directories of engines that nobody has open: table files, which nobody ever changes,
// become further names of the same file, everything else is copied.
#pragma once

#include <string>

#include "base/status.h"

namespace orrery::server {

// Makes `to` and what it needs above it. Not synced. kResourceExhausted: the disk is full; what was
// copied stays.
Status CopyLinked(const std::string& from, const std::string& to);

// Syncs a file or a directory.
Status SyncPath(const std::string& path);
// Syncs every file and directory below `path` but table files, which are as durable as they were.
Status SyncTree(const std::string& path);

}  // namespace orrery::server
