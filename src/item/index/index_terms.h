// The index entries of a document. Pure.
//
// Of an automatic index: one term for each scalar under an indexed path, in arrays one for each
// element; undefined where nothing is at a place that the policy names exactly. Of an index of
// kinds: one for each array and each object at an indexed place outside of arrays. Of a named
// index: one for each combination of the values its paths lead to; a path that leads to nothing, or
// to an empty array, counts as undefined, so that every document has at least one term, unless the
// index leaves it out (sparse, or by its condition). Of an index
// of words or of cells: one for each value that it has of what is at its path, and none for
// documents that have no text or no shape there; its path does not go into arrays, but for shapes
// in the order of MongoDB, which are read as MongoDB does (model/spatial/places.h). Of an index of
// terms with weights: one for each term of the document's texts. Of an index of vectors: see
// vector_terms.h.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_policy.h"
#include "item/layout/key_layout.h"
#include "model/compare.h"
#include "model/document/document.h"

namespace orrery::item {

struct IndexTerm {
  IndexId index;
  std::string value;            // ordered encoding, cut to kIndexValueBytesMax unless whole
  bool one_of_several = false;  // the document has further terms in this index
  std::string payload = {};     // what the entry holds beside its key

  // Compares keys only.
  friend bool operator==(const IndexTerm& a, const IndexTerm& b) {
    return a.index == b.index && a.value == b.value;
  }
  friend std::strong_ordering operator<=>(const IndexTerm& a, const IndexTerm& b) {
    if (const auto order = a.index <=> b.index; order != 0) return order;
    return a.value <=> b.value;
  }
};

inline constexpr size_t kIndexValueBytesMax = 256;
// More terms than this in one document is an error (kTooLarge), as the work must be bounded.
inline constexpr size_t kIndexTermsMax = 20'000;

// All terms of a document, sorted, without repetition.
Result<std::vector<IndexTerm>> TermsOf(const IndexPolicy& policy, model::DocumentView document,
                                       model::Order order);

// The values of the document in one of the policy's indexes, rising, as TermsOf has them.
Result<std::vector<std::string>> ValuesIn(const IndexPolicy& policy, IndexId index,
                                          model::DocumentView document, model::Order order);

// All terms that a stored document may have entries for: of the policy, and of the former one while
// items are being brought to the new one.
Result<std::vector<IndexTerm>> StoredTermsOf(const ContainerSchema& schema,
                                             model::DocumentView document);

}  // namespace orrery::item
