// Copies a live database into a directory of files that `--seed` and `orrery import` load: its
// definitions, and a file for each container. Run again after an interruption, it goes on.
//
// What was written while it ran may be in the files or not: nobody stops the writers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/transfer/transfer_source.h"

namespace orrery::cli {

struct SeedExportOptions {
  std::string directory;
  std::vector<std::string> databases{};                   // or keyspaces; empty: all
  std::function<void(std::string_view line)> progress{};  // none: silent
};

struct SeedExportTotals {
  uint64_t containers = 0;
  uint64_t items = 0;
  std::vector<std::string> left_out{};  // what has no form in files, with why

  // Returns whether the database is to be exported.
  static bool Wants(const SeedExportOptions& options, std::string_view database);
};

// Each makes the files of one kind of source. kInvalidArgument for names that no file can have.
Status ExportAccount(const SqlAddress& source, const SeedExportOptions& options,
                     SeedExportTotals& totals);
Status ExportMongo(const MongoAddress& source, const SeedExportOptions& options,
                   SeedExportTotals& totals);
Status ExportCassandra(const CqlAddress& source, const SeedExportOptions& options,
                       SeedExportTotals& totals);

Result<SeedExportTotals> ExportToFiles(const TransferSource& source,
                                       const SeedExportOptions& options);

// A name as a part of a path: kInvalidArgument for those that a file or folder cannot have, or that
// a seed directory would take for something else.
Status CheckFileName(std::string_view name);

}  // namespace orrery::cli
