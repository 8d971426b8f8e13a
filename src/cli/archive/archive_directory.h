// An archive on disk: what `orrery export` writes and `orrery import` reads.
//
//   DIR/FORMAT             "orrery archive, format 1"
//   DIR/catalog            databases and containers (gateway/archive/archive_catalog.h)
//   DIR/CCCC/SSSSSS.seg    segment S of container C of the catalog, both from 0 (segment.h)
//   DIR/manifest           written last: without it the export is not finished
//   DIR/imported-*         how far an import into one server came (import_state.h)
//
// Files are written aside and renamed when they are on the disk, so a crash leaves whole ones.
// Errors name the file. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/archive/manifest.h"
#include "cli/archive/segment.h"
#include "gateway/archive/archive_catalog.h"

namespace orrery::cli {

class ArchiveDirectory {
 public:
  // Makes the directory, or goes on with an archive that is there. kInvalidArgument when it holds
  // something else.
  static Result<ArchiveDirectory> Create(std::string path);
  // kNotFound, kInvalidArgument, kUnsupported: there is none, it is not one, it is a newer one.
  static Result<ArchiveDirectory> Open(std::string path);

  const std::string& path() const { return path_; }

  // kNotFound when it was not written yet.
  Result<gateway::ArchivedCatalog> ReadCatalog() const;
  Status WriteCatalog(const gateway::ArchivedCatalog& catalog) const;
  Result<Manifest> ReadManifest() const;
  Status WriteManifest(const Manifest& manifest) const;

  // kNotFound, and kCorruption when the file is damaged or belongs elsewhere.
  Result<Segment> ReadSegment(uint32_t container, uint32_t number) const;
  Status WriteSegment(const Segment& segment) const;

 private:
  explicit ArchiveDirectory(std::string path) : path_(std::move(path)) {}
  std::string SegmentPath(uint32_t container, uint32_t number) const;

  std::string path_;
};

}  // namespace orrery::cli
