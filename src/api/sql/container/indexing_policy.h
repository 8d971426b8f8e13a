// Indexing policies as clients write them, and what of one the core follows.
//
// The core indexes by included and excluded paths, and has composite, full-text, spatial and vector
// indexes as named ones (composite_indexes.h, full_text_indexes.h, spatial_indexes.h,
// vector_indexes.h).
//
// Pure.
#pragma once

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

struct IndexingPolicy {
  gateway::IndexingSettings settings;  // named: without ids
  model::Value shown;                  // as clients get it back, with all defaults filled in
  bool is_indexed = true;              // false: the mode is none
};

// kInvalidArgument says which part is wrong. Undefined is the default policy. `embeddings`: the
// container's vectorEmbeddingPolicy, undefined for none.
Result<IndexingPolicy> IndexingPolicyFrom(const model::Value& json, const model::Value& embeddings);

// For a container of another interface, which has kept nothing.
model::Value ShownPolicy(const gateway::IndexingSettings& settings);

}  // namespace orrery::sql
