// Indexing policies as clients write them, and what of one the core follows.
//
// The core indexes by included and excluded paths, and has composite, full-text and spatial indexes
// as named ones (composite_indexes.h, full_text_indexes.h, spatial_indexes.h). Vector indexes are
// checked for their form, kept and given back: queries that could use them scan.
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
};

// kInvalidArgument says which part is wrong. Undefined is the default policy.
Result<IndexingPolicy> IndexingPolicyFrom(const model::Value& json);

// For a container of another interface, which has kept nothing.
model::Value ShownPolicy(const gateway::IndexingSettings& settings);

}  // namespace orrery::sql
