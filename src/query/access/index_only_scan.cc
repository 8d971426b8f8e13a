#include "query/access/index_only_scan.h"

#include <algorithm>

namespace orrery::query {
namespace {

// The paths whose values an entry has.
std::vector<DocumentPath> PathsOfEntry(const DocumentPath& path,
                                       const item::ContainerSchema& schema) {
  std::vector<DocumentPath> paths = {path, DocumentPath::At(schema.row_key_path)};
  for (const model::Path& key : schema.partition_key_paths) paths.push_back(DocumentPath::At(key));
  return paths;
}

}  // namespace

std::optional<IndexOnlyScan> IndexOnlyScanOf(const Reads& reads, const DocumentPath& path,
                                             const item::ContainerSchema& schema) {
  if (path.has_elements() || path.of_types) return std::nullopt;
  const std::vector<DocumentPath> known = PathsOfEntry(path, schema);
  const auto has_all = [&](const std::vector<DocumentPath>& paths) {
    return std::ranges::all_of(paths, [&](const DocumentPath& read) {
      return std::ranges::find(known, read) != known.end();
    });
  };
  IndexOnlyScan scan{.path = path, .conjuncts = {}};
  for (size_t i = 0; i < reads.conjuncts.size(); ++i)
    if (has_all(reads.conjuncts[i])) scan.conjuncts.push_back(i);
  scan.is_covering = reads.all.has_value() && has_all(*reads.all);
  if (scan.is_covering && reads.extreme.has_value() && reads.extreme->path == path) {
    scan.is_one_entry = true;
    scan.descending = reads.extreme->is_greatest;
  }
  return scan;
}

}  // namespace orrery::query
