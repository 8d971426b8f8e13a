// Computes the values that a named index has of a document: its place in the order of scans of that
// index.
//
// For those who merge scans of several partitions or go on behind a document, and know the document
// only.
//
// Thread-safe. Holds what it needs of the schema.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/index/index_policy.h"
#include "item/index/index_terms.h"
#include "item/index/wildcard_terms.h"
#include "model/compare.h"
#include "model/document/document.h"

namespace orrery::gateway {

// The bytes that an index keeps of an encoded value; the rest is cut.
inline constexpr size_t kIndexedBytesMax = item::kIndexValueBytesMax;

class NamedIndexValues {
 public:
  // Of an index that the schema does not have there are no values.
  NamedIndexValues(const item::ContainerSchema& schema, item::IndexId index);

  // Encoded and cut as the index has them, rising. Of an index of values at least one, and several
  // where a path leads to an array.
  Result<std::vector<std::string>> Of(model::DocumentView document) const;

 private:
  item::IndexPolicy policy_;
  item::IndexId index_;
  model::Order order_;
};

}  // namespace orrery::gateway
