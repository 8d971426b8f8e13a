// An IndexOnlyScan says what of a query the entries of an index answer, without reading documents.
//
// An entry has a document's value at the path of the index; its key has the document's partition
// key and row key. An index that has all paths that a query looks at covers it: no documents are
// read. Where it does not, but conditions look at these paths alone (a substring, a regular
// expression), only the documents of entries of which they are true are read.
//
// Only of automatic indexes whose path does not go into arrays.
//
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "query/predicate/conditions.h"

namespace orrery::query {

struct IndexOnlyScan {
  DocumentPath path;              // of the index
  std::vector<size_t> conjuncts;  // of Reads::conjuncts: what entries can be asked
  bool is_covering = false;       // the rest of the query needs no documents either
  bool is_one_entry = false;      // the first entry of which the conjuncts are true answers it all
  bool descending = false;        // if so: in which direction
};

// REQUIRES: every document that may be wanted has an entry in the index over `path`.
std::optional<IndexOnlyScan> IndexOnlyScanOf(const Reads& reads, const DocumentPath& path,
                                             const item::ContainerSchema& schema);

}  // namespace orrery::query
