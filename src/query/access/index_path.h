// An IndexPath is one index and the ranges of its values that hold documents which may be wanted.
// A value; thread-safe.
#pragma once

#include <optional>
#include <vector>

#include "query/predicate/document_path.h"
#include "query/predicate/value_range.h"

namespace orrery::query {

struct IndexPath {
  std::vector<DocumentPath> paths;  // one, or those of a composite index
  item::IndexId index;
  std::vector<ValueRange> ranges;  // rising and disjoint; read downwards when `descending`
  bool descending = false;
  bool bounds_are_whole = true;  // else of the first of the paths only
  item::IndexKind kind = item::IndexKind::kValues;
  bool is_named = false;  // one of IndexPolicy::named(): it may have several values of one document

  bool is_composite() const { return paths.size() > 1; }
  // Returns whether all documents of the range have the same value: then they are in ring order.
  bool IsOneValue(const ValueRange& range) const {
    return bounds_are_whole && range.is_one_value();
  }
  bool has_single_values() const;  // each of the ranges is one value
  std::vector<item::IndexRange> IndexRanges() const;
};

// Returns the automatic index over the path with these ranges; nullopt if the container has none.
std::optional<IndexPath> AutomaticIndexAt(const DocumentPath& path, std::vector<ValueRange> ranges,
                                          const item::ContainerSchema& schema);

}  // namespace orrery::query
