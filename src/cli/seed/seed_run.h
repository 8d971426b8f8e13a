// Loads a seed directory into a server: everything that FindSeedFiles finds, file after file.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/seed/seed_endpoints.h"

namespace orrery::cli {

struct SeedOptions {
  std::string directory;
  bool goes_on = false;                                   // after errors; they are told in the end
  std::function<void(std::string_view line)> progress{};  // none: silent
  std::function<bool()> interrupted{};  // asked often: the load is to end; none: never
  std::set<std::string> loaded{};  // digests of files that are loaded already: passed over
  // Told the digest of each file that was loaded without an error; none: nobody.
  std::function<void(const std::string& digest)> file_done{};
};

struct SeedOutcome {
  size_t files = 0;  // that were loaded now
  uint64_t items = 0;
  size_t errors = 0;  // none but with `goes_on`
  std::string error_text;
  std::set<std::string> loaded;  // the digests of all files that are loaded completely
};

// kInvalidArgument with file, line and reason of what cannot be loaded; files before it are loaded.
// kCancelled when it was interrupted.
Result<SeedOutcome> RunSeed(const SeedOptions& options, const SeedEndpoints& endpoints);

// Returns whether the directory has something that is not loaded yet. Errors as FindSeedFiles.
Result<bool> HasUnloadedSeeds(const SeedOptions& options);

}  // namespace orrery::cli
