#include "cli/seed/seed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/murmur3.h"
#include "cli/seed/container_seed.h"
#include "cli/seed/document_seed.h"
#include "cli/seed/graph_seed.h"
#include "cli/seed/mongo_seed.h"
#include "cli/seed/row_seed.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {
namespace {

// All JavaScript files of the directory, one behind the other.
Result<std::string> ScriptTexts(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(directory, error);
  for (; !error && entries != std::filesystem::recursive_directory_iterator();
       entries.increment(error)) {
    if (entries->path().extension() == ".js") paths.push_back(entries->path().string());
  }
  std::ranges::sort(paths);
  std::string texts;
  for (const std::string& path : paths) {
    ORRERY_ASSIGN(const std::string text, ReadSeedFile({.kind = SeedKind::kContainers,
                                                        .path = path,
                                                        .shown = path,
                                                        .database = {},
                                                        .container = {}}));
    texts += fmt::format("{}:{}:{}", path, text.size(), text);
  }
  return texts;
}

// Of a file's name and content.
Result<std::string> DigestOf(const SeedFile& file, const std::string& directory) {
  ORRERY_ASSIGN(const std::string text, ReadSeedFile(file));
  Hash128 content = Murmur3(text);
  if (file.kind == SeedKind::kContainers) {
    // It names files of scripts.
    ORRERY_ASSIGN(const std::string scripts, ScriptTexts(directory));
    const Hash128 both =
        Murmur3(fmt::format("{:016x}{:016x}{}", content.high, content.low, scripts));
    content = both;
  }
  const Hash128 all = Murmur3(
      fmt::format("{}:{}:{:016x}{:016x}", file.shown, text.size(), content.high, content.low));
  return fmt::format("{:016x}{:016x}", all.high, all.low);
}

void LoadSeedFile(const SeedFile& file, const std::string& directory,
                  const SeedEndpoints& endpoints, SeedReport& report) {
  switch (file.kind) {
    case SeedKind::kContainers:
      return MakeContainers(file, directory, endpoints, report);
    case SeedKind::kCql:
      return RunCqlFile(file, endpoints, report);
    case SeedKind::kDump:
      return LoadDump(file, endpoints, report);
    case SeedKind::kDocuments:
      return LoadDocuments(file, endpoints, report);
    case SeedKind::kCollection:
      return LoadCollection(file, endpoints, report);
    case SeedKind::kRows:
      return LoadRows(file, endpoints, report);
    case SeedKind::kEntities:
      return LoadEntities(file, endpoints, report);
    case SeedKind::kGremlin:
      return RunGremlinFile(file, endpoints, report);
  }
}

}  // namespace

Result<bool> HasUnloadedSeeds(const SeedOptions& options) {
  ORRERY_ASSIGN(const auto files, FindSeedFiles(options.directory));
  for (const SeedFile& file : files) {
    ORRERY_ASSIGN(const std::string digest, DigestOf(file, options.directory));
    if (!options.loaded.contains(digest)) return true;
  }
  return false;
}

Result<SeedOutcome> RunSeed(const SeedOptions& options, const SeedEndpoints& endpoints) {
  ORRERY_ASSIGN(const auto files, FindSeedFiles(options.directory));
  SeedReport report(options.progress, options.goes_on, options.interrupted);
  SeedOutcome outcome;
  for (const SeedFile& file : files) {
    ORRERY_ASSIGN(std::string digest, DigestOf(file, options.directory));
    const size_t errors = report.error_count();
    const bool is_new = !options.loaded.contains(digest);
    if (is_new) {
      LoadSeedFile(file, options.directory, endpoints, report);
      ++outcome.files;
    }
    if (!report.goes_on()) {
      return report.error_count() == 0 ? Fail(Code::kCancelled, "interrupted by a signal")
                                       : Fail(Code::kInvalidArgument, report.ErrorText());
    }
    if (report.error_count() != errors) continue;
    if (is_new && options.file_done) options.file_done(digest);
    outcome.loaded.insert(std::move(digest));
  }
  outcome.items = report.item_count();
  outcome.errors = report.error_count();
  outcome.error_text = report.ErrorText();
  return outcome;
}

}  // namespace orrery::cli
