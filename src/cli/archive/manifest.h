// A Manifest lists what an export has written, and is written last: an import checks by it that
// everything is there.
//
//   manifest  := {"containers": [container*]}     ; a document, in the order of the catalog
//   container := {"segments": int64, "items": int64, "mortal": int64, "sum": string}
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "gateway/archive/archive_digest.h"
#include "model/document/document.h"

namespace orrery::cli {

// The totals of each container of the catalog when the export was finished.
struct ContainerSummary {
  uint32_t segments = 0;
  gateway::ArchiveDigest digest;

  friend bool operator==(const ContainerSummary&, const ContainerSummary&) = default;
};
using Manifest = std::vector<ContainerSummary>;

model::Document ToDocument(const Manifest& manifest);
Result<Manifest> ManifestFrom(model::DocumentView document);  // kCorruption

}  // namespace orrery::cli
