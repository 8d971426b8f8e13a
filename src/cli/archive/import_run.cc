#include "cli/archive/import_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/archive/import_state.h"
#include "cli/archive/progress_bar.h"
#include "cli/text_table.h"

namespace orrery::cli {
namespace {

class ImportRun {
 public:
  ImportRun(ArchiveClient& client, const ArchiveDirectory& archive, const ImportOptions& options,
            ImportState state)
      : client_(client), archive_(archive), options_(options), state_(std::move(state)) {}

  Result<ArchiveTotals> Run() {
    ORRERY_TRY(ReadLists());
    ORRERY_TRY(MakeContainers());
    ArchiveTotals totals;
    for (uint32_t place = 0; place < manifest_.size(); ++place) {
      if (IsExcluded(catalog_.containers[place].database)) continue;
      ORRERY_TRY(WriteContainer(place));
      ++totals.containers;
      totals.items += manifest_[place].digest.items;
      totals.mortal += manifest_[place].digest.mortal;
    }
    if (!options_.verify) return totals;
    for (uint32_t place = 0; place < manifest_.size(); ++place) {
      if (!IsExcluded(catalog_.containers[place].database)) ORRERY_TRY(Verify(place));
    }
    state_.Remove();
    return totals;
  }

 private:
  Status ReadLists() {
    auto manifest = archive_.ReadManifest();
    if (!manifest.has_value() && manifest.error().code() == Code::kNotFound) {
      return Fail(Code::kPreconditionFailed,
                  fmt::format("the export into {} was not finished: run it again, it goes on where "
                              "it was",
                              archive_.path()));
    }
    if (!manifest.has_value()) return Fail(std::move(manifest).error());
    manifest_ = *std::move(manifest);
    ORRERY_ASSIGN(catalog_, archive_.ReadCatalog());
    if (catalog_.containers.size() != manifest_.size()) {
      return Fail(Code::kCorruption,
                  fmt::format("the catalog and the manifest of {} are of different archives",
                              archive_.path()));
    }
    return {};
  }

  Status MakeContainers() {
    // Tells whether there is a server, and of which key, before it is asked patiently.
    ORRERY_TRY(client_.ReadCatalog());
    for (const gateway::ArchivedDatabase& database : catalog_.databases) {
      if (IsExcluded(database.name)) continue;
      auto made = client_.Restore(database);
      if (!made.has_value()) return Fail(Advise(std::move(made).error(), database.name));
    }
    for (uint32_t place = 0; place < manifest_.size(); ++place) {
      const gateway::ArchivedContainer& container = catalog_.containers[place];
      if (IsExcluded(container.database)) continue;
      auto made = client_.Restore(container);
      if (!made.has_value()) return Fail(Advise(std::move(made).error(), container.database));
      if (*made) state_.Forget(place);
    }
    return {};
  }

  static Error Advise(Error error, const std::string& database) {
    if (error.code() != Code::kAlreadyExists) return error;
    return Error(error.code(),
                 fmt::format("{}; drop it there, or leave the database out with --exclude {}",
                             error.message(), Printable(database)));
  }

  Status WriteContainer(uint32_t place) {
    const ContainerSummary& summary = manifest_[place];
    std::optional<ProgressBar> bar = MakeBar("write", place);
    gateway::ArchiveDigest found;
    for (uint32_t number = 0; number < summary.segments; ++number) {
      ORRERY_ASSIGN(Segment segment, archive_.ReadSegment(place, number));
      found += segment.digest;
      if (!state_.Has(place, number)) {
        for (std::string& batch : segment.batches) {
          ORRERY_TRY(client_.Write(catalog_.containers[place], std::move(batch)));
        }
        ORRERY_TRY(state_.Add(place, number));
      }
      if (bar.has_value()) bar->Advance(segment.digest.items);
    }
    if (bar.has_value()) bar->Finish();
    if (found == summary.digest) return {};
    return Fail(Code::kCorruption,
                fmt::format("the segments of {} in {} are not those of its manifest",
                            Printable(catalog_.containers[place].FullName()), archive_.path()));
  }

  Status Verify(uint32_t place) const {
    std::optional<ProgressBar> bar = MakeBar("verify", place);
    const gateway::ArchivedContainer& container = catalog_.containers[place];
    const gateway::ArchiveDigest& wanted = manifest_[place].digest;
    gateway::ArchiveDigest found;
    std::string continuation;
    do {
      ORRERY_ASSIGN(auto page, client_.Digest(container, continuation));
      found += page.digest;
      continuation = std::move(page.continuation);
      if (bar.has_value()) bar->Advance(page.digest.items);
    } while (!continuation.empty());
    if (bar.has_value()) bar->Finish();
    if (found.Agrees(wanted)) return {};
    return Fail(
        Code::kPreconditionFailed,
        fmt::format(
            "{} is not what the archive has: {} lasting items with digest {} there, {} with "
            "{} in the archive. Either it had items before, or somebody writes to it; if "
            "neither is so, drop the container and import again",
            Printable(container.FullName()), found.lasting(), found.sum.ToString(),
            wanted.lasting(), wanted.sum.ToString()));
  }

  std::optional<ProgressBar> MakeBar(std::string_view what, uint32_t place) const {
    if (options_.progress == nullptr) return std::nullopt;
    return ProgressBar(
        *options_.progress, options_.terminal,
        fmt::format("{:6} {}", what, Printable(catalog_.containers[place].FullName())),
        manifest_[place].digest.items);
  }

  bool IsExcluded(const std::string& database) const {
    return std::ranges::find(options_.exclude, database) != options_.exclude.end();
  }

  ArchiveClient& client_;
  const ArchiveDirectory& archive_;
  const ImportOptions& options_;
  ImportState state_;
  gateway::ArchivedCatalog catalog_;
  Manifest manifest_;
};

}  // namespace

Result<ArchiveTotals> Import(ArchiveClient& client, const ArchiveDirectory& archive,
                             const ImportOptions& options) {
  ORRERY_ASSIGN(ImportState state, ImportState::Load(archive.path(), options.target));
  return ImportRun(client, archive, options, std::move(state)).Run();
}

}  // namespace orrery::cli
