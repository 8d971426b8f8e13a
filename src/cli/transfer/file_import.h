// Loads a directory of files, as `--seed` takes it, into a running server, and compares what is
// there then with the files. An interrupted import goes on with the file that it was at.
//
//   DIR/.imported-<target>    the digests of the files that the target has, one a line; gone when
//                             everything was compared
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/admin_client.h"
#include "cli/seed/seed_endpoints.h"

namespace orrery::cli {

struct FileImportOptions {
  std::string directory;
  std::string target;         // the server's address
  bool verify = true;         // read everything and compare in the end
  bool rows_as_read = false;  // rows were written by SELECT JSON, so they can be compared as well
  std::function<void(std::string_view line)> progress{};
};

struct FileImportTotals {
  uint64_t files = 0;  // that were loaded now
  uint64_t items = 0;
  uint64_t compared = 0;        // items of files that are on the server
  uint64_t files_compared = 0;  // others have statements, or items in a form of their own
  uint64_t files_left = 0;
};

// kInvalidArgument with file, line and reason of what cannot be loaded; kCorruption when something
// of the files is not on the server afterwards.
Result<FileImportTotals> ImportFiles(const FileImportOptions& options,
                                     const SeedEndpoints& endpoints);

// Asks a server where its ports are. `client`'s key must be one that may write.
Result<SeedEndpoints> EndpointsOfServer(AdminClient& client);

}  // namespace orrery::cli
