#include "cli/archive/export_run.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/archive/progress_bar.h"
#include "cli/text_table.h"

namespace orrery::cli {
namespace {

bool IsAbsent(const Error& error) { return error.code() == Code::kNotFound; }

// The catalog that the archive has, or that of the server, which it then has.
Result<gateway::ArchivedCatalog> AgreeOnCatalog(ArchiveClient& client,
                                                const ArchiveDirectory& archive) {
  ORRERY_ASSIGN(gateway::ArchivedCatalog now, client.ReadCatalog());
  auto before = archive.ReadCatalog();
  if (before.has_value()) {
    if (*before == now) return before;
    return Fail(Code::kPreconditionFailed,
                fmt::format("{} was begun with other databases or containers than the server has "
                            "now: export into a new directory",
                            archive.path()));
  }
  if (!IsAbsent(before.error())) return before;
  ORRERY_TRY(archive.WriteCatalog(now));
  return now;
}

// One container, from its last finished segment on.
class ContainerExport {
 public:
  ContainerExport(ArchiveClient& client, const ArchiveDirectory& archive,
                  const gateway::ArchivedContainer& container, uint32_t place,
                  std::optional<ProgressBar>& bar)
      : client_(client), archive_(archive), container_(container), place_(place), bar_(bar) {}

  Result<ContainerSummary> Run() {
    ORRERY_ASSIGN(bool done, SkipFinished());
    while (!done) {
      ORRERY_ASSIGN(done, WriteNext());
    }
    return summary_;
  }

 private:
  // True: nothing is left to do.
  Result<bool> SkipFinished() {
    for (;;) {
      auto segment = archive_.ReadSegment(place_, summary_.segments);
      if (!segment.has_value()) {
        if (IsAbsent(segment.error())) return false;
        return Fail(std::move(segment).error());
      }
      Count(*segment);
      if (segment->last) return true;
    }
  }

  Result<bool> WriteNext() {
    Segment segment;
    segment.container = place_;
    segment.number = summary_.segments;
    segment.continuation = continuation_;
    size_t bytes = 0;
    do {
      ORRERY_ASSIGN(auto page, client_.Read(container_, segment.continuation));
      ORRERY_ASSIGN(const auto batch, gateway::DecodeBatch(page.batch));
      segment.continuation = std::move(page.continuation);
      if (gateway::SizeOf(batch) == 0) continue;
      segment.digest += gateway::DigestOf(batch);
      bytes += page.batch.size();
      segment.batches.push_back(std::move(page.batch));
    } while (!segment.continuation.empty() && bytes < kSegmentBytes);
    segment.last = segment.continuation.empty();
    ORRERY_TRY(archive_.WriteSegment(segment));
    Count(segment);
    return segment.last;
  }

  void Count(const Segment& segment) {
    ++summary_.segments;
    summary_.digest += segment.digest;
    continuation_ = segment.continuation;
    if (bar_.has_value()) bar_->Advance(segment.digest.items);
  }

  ArchiveClient& client_;
  const ArchiveDirectory& archive_;
  const gateway::ArchivedContainer& container_;
  const uint32_t place_;
  std::optional<ProgressBar>& bar_;
  ContainerSummary summary_;
  std::string continuation_;
};

}  // namespace

Result<ArchiveTotals> Export(ArchiveClient& client, const ArchiveDirectory& archive,
                             const ExportOptions& options) {
  if (archive.ReadManifest().has_value()) {
    return Fail(Code::kAlreadyExists,
                fmt::format("the archive in {} is finished: name another directory, or import it",
                            archive.path()));
  }
  ORRERY_ASSIGN(const gateway::ArchivedCatalog catalog, AgreeOnCatalog(client, archive));
  ArchiveTotals totals;
  Manifest manifest;
  for (const gateway::ArchivedContainer& container : catalog.containers) {
    std::optional<ProgressBar> bar;
    if (options.progress != nullptr)
      bar.emplace(*options.progress, options.terminal, Printable(container.FullName()), 0);
    const auto place = static_cast<uint32_t>(manifest.size());
    ORRERY_ASSIGN(const ContainerSummary summary,
                  ContainerExport(client, archive, container, place, bar).Run());
    if (bar.has_value()) bar->Finish();
    ++totals.containers;
    totals.items += summary.digest.items;
    totals.mortal += summary.digest.mortal;
    manifest.push_back(summary);
  }
  ORRERY_TRY(archive.WriteManifest(manifest));
  return totals;
}

}  // namespace orrery::cli
