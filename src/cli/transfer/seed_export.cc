#include "cli/transfer/seed_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace orrery::cli {
namespace {

constexpr size_t kFileNameBytesMax = 200;

}  // namespace

bool SeedExportTotals::Wants(const SeedExportOptions& options, std::string_view database) {
  return options.databases.empty() ||
         std::ranges::find(options.databases, database) != options.databases.end();
}

Status CheckFileName(std::string_view name) {
  const bool is_odd = name.empty() || name.size() > kFileNameBytesMax || name.front() == '.' ||
                      name.contains('/') || name.contains('\0');
  if (!is_odd) return {};
  return Fail(Code::kInvalidArgument,
              fmt::format("'{}' cannot be the name of a file; leave its database out by naming "
                          "those that are wanted (--database)",
                          name));
}

Result<SeedExportTotals> ExportToFiles(const TransferSource& source,
                                       const SeedExportOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.directory, error);
  if (error) {
    return Fail(Code::kForbidden,
                fmt::format("cannot make the directory {}: {}", options.directory, error.message()));
  }
  SeedExportTotals totals;
  Status done;
  if (const auto* sql = std::get_if<SqlAddress>(&source)) {
    done = ExportAccount(*sql, options, totals);
  } else if (const auto* mongo = std::get_if<MongoAddress>(&source)) {
    done = ExportMongo(*mongo, options, totals);
  } else {
    done = ExportCassandra(std::get<CqlAddress>(source), options, totals);
  }
  if (!done.has_value()) return Fail(std::move(done).error());
  return totals;
}

}  // namespace orrery::cli
