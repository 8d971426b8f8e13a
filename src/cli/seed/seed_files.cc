#include "cli/seed/seed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

bool IsItemFile(std::string_view extension) {
  return extension == ".json" || extension == ".ndjson" || extension == ".jsonl" ||
         extension == ".csv";
}

bool IsPassedOver(const std::string& name, const std::string& extension) {
  return name.starts_with('.') || extension == ".js" || extension == ".md" || extension == ".txt" ||
         name.ends_with(".metadata.json") || name == "prelude.json";
}

std::unexpected<Error> RefuseSeedFile(const std::string& shown, std::string_view why) {
  return Fail(Code::kInvalidArgument, fmt::format("{}: {}", shown, why));
}

// "DATABASE/CONTAINER" or "DATABASE.CONTAINER", without the extension.
struct SeedTarget {
  std::string database;
  std::string container;
};
std::optional<SeedTarget> TargetIn(const std::vector<std::string>& folders,
                                   const std::string& stem) {
  if (folders.size() == 1) return SeedTarget{folders[0], stem};
  const size_t dot = stem.find('.');
  if (!folders.empty() || dot == 0 || dot == std::string::npos || dot + 1 == stem.size())
    return std::nullopt;
  return SeedTarget{stem.substr(0, dot), stem.substr(dot + 1)};
}

Result<SeedFile> SeedFileOf(const fs::path& path, const fs::path& below) {
  SeedFile file{.path = path.string(), .shown = below.generic_string()};
  const std::string extension = path.extension().string();
  const std::string stem = path.stem().string();
  std::vector<std::string> folders;
  for (const fs::path& part : below.parent_path()) folders.push_back(part.string());
  if (below == "containers.yaml" || below == "containers.yml") return file;
  if (extension == ".cql") {
    file.kind = SeedKind::kCql;
    return file;
  }
  if (extension == ".bson") {
    file.kind = SeedKind::kDump;
    if (stem == "oplog" || folders.empty()) {
      return RefuseSeedFile(file.shown, stem == "oplog"
                                            ? "an oplog is not loaded; dump without --oplog"
                                            : "a dump must lie in a folder named as its database");
    }
    file.database = folders.back();
    file.container = stem;
    return file;
  }
  const std::string api = folders.empty() ? "" : folders.front();
  const bool names_api = api == "sql" || api == "mongo" || api == "cassandra" || api == "gremlin" ||
                         api == "tables" || api == "table";
  if (names_api) folders.erase(folders.begin());
  if (IsItemFile(extension) && (api == "tables" || api == "table") && folders.empty()) {
    file.kind = SeedKind::kEntities;
    file.container = stem;
    return file;
  }
  if (extension != ".gremlin" && !IsItemFile(extension)) {
    return RefuseSeedFile(file.shown,
                          path.extension() == ".gz"
                              ? "compressed files are not loaded; uncompress it"
                              : "not a kind of file that is loaded (.cql, .json, .ndjson, .csv, "
                                ".gremlin, .bson, containers.yaml)");
  }
  const auto target = TargetIn(folders, stem);
  if (!target.has_value()) {
    return RefuseSeedFile(file.shown,
                          "it does not say where it goes; name it DATABASE/CONTAINER, "
                          "mongo/DATABASE/COLLECTION, cassandra/KEYSPACE/TABLE or tables/TABLE");
  }
  file.database = target->database;
  file.container = target->container;
  file.kind = extension == ".gremlin" ? SeedKind::kGremlin
              : api == "mongo"        ? SeedKind::kCollection
              : api == "cassandra"    ? SeedKind::kRows
                                      : SeedKind::kDocuments;
  if (extension == ".gremlin" ? names_api && api != "gremlin" : api == "gremlin")
    return RefuseSeedFile(file.shown, "only .gremlin files go into graphs, and nowhere else");
  return file;
}

}  // namespace

Result<std::vector<SeedFile>> FindSeedFiles(const std::string& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return Fail(Code::kNotFound, fmt::format("there is no directory '{}'", directory));
  std::vector<SeedFile> files;
  fs::recursive_directory_iterator entries(directory, error);
  const fs::recursive_directory_iterator end;
  for (; !error && entries != end; entries.increment(error)) {
    const fs::path& path = entries->path();
    if (entries->is_directory(error)) {
      // Also what Kubernetes puts beside the files of a mounted ConfigMap.
      if (path.filename().string().starts_with('.')) entries.disable_recursion_pending();
      continue;
    }
    if (!entries->is_regular_file(error) ||
        IsPassedOver(path.filename().string(), path.extension().string()))
      continue;
    if (files.size() == kSeedFilesMax)
      return Fail(Code::kTooLarge, fmt::format("more than {} files", kSeedFilesMax));
    ORRERY_ASSIGN(SeedFile file, SeedFileOf(path, path.lexically_relative(directory)));
    files.push_back(std::move(file));
  }
  if (error) {
    return Fail(Code::kForbidden,
                fmt::format("'{}' cannot be read: {}", directory, error.message()));
  }
  if (files.empty())
    return Fail(Code::kNotFound, fmt::format("there is nothing to load in '{}'", directory));
  std::ranges::sort(files, [](const SeedFile& a, const SeedFile& b) {
    return std::tie(a.kind, a.shown) < std::tie(b.kind, b.shown);
  });
  return files;
}

Result<std::string> ReadSeedFile(const SeedFile& file) {
  std::error_code error;
  const uintmax_t size = fs::file_size(file.path, error);
  if (!error && size > kSeedFileBytesMax)
    return Fail(Code::kTooLarge,
                fmt::format("{} is larger than 4 GB; cut it into files", file.shown));
  std::ifstream in(file.path, std::ios::binary);
  std::string text(error ? 0 : size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (error || !in) {
    return Fail(Code::kForbidden, fmt::format("{} cannot be read: {}", file.shown,
                                              error ? error.message() : std::strerror(errno)));
  }
  return text;
}

}  // namespace orrery::cli
