// Writes an archive into a server, and makes sure that it arrived.
//
// Databases and containers are made first, then items are written in their order, then each
// container of the server is read and compared with the archive by digest. An import that was
// interrupted goes on after the last segment that was written (import_state.h).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/archive/archive_client.h"
#include "cli/archive/archive_directory.h"
#include "cli/archive/export_run.h"

namespace orrery::cli {

struct ImportOptions {
  std::string target;                // names the server in the state
  std::vector<std::string> exclude;  // databases to leave out
  bool verify = true;
  std::ostream* progress = nullptr;  // none: nothing is shown
  bool terminal = false;
};

// kAlreadyExists when the server has a database or container of a name that is set otherwise;
// kCorruption names the damaged file; kPreconditionFailed when the export was not finished, or the
// server does not have what the archive has.
Result<ArchiveTotals> Import(ArchiveClient& client, const ArchiveDirectory& archive,
                             const ImportOptions& options);

}  // namespace orrery::cli
