// Writes all that a server has into an archive, container by container.
//
// It can be interrupted at any time and goes on after the last finished segment when it is run
// again with the same directory. What is written to the server meanwhile may be in the archive or
// not: for an exact copy nobody writes.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "base/status.h"
#include "cli/archive/archive_client.h"
#include "cli/archive/archive_directory.h"

namespace orrery::cli {

struct ArchiveTotals {
  uint64_t containers = 0;
  uint64_t items = 0;
  uint64_t mortal = 0;  // of these: may expire, and are not compared
};

struct ExportOptions {
  std::ostream* progress = nullptr;  // none: nothing is shown
  bool terminal = false;
};

// kAlreadyExists when the archive is finished; kPreconditionFailed when the server's containers are
// not those that the archive was begun with.
Result<ArchiveTotals> Export(ArchiveClient& client, const ArchiveDirectory& archive,
                             const ExportOptions& options);

}  // namespace orrery::cli
