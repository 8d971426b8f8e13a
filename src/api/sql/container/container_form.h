// Containers as clients write and see them, and as the core has them.
//
// Properties that the core knows become gateway::ContainerSettings; computed properties are kept
// for queries; the rest (conflict resolution, policies of vectors and full text) is kept as it came
// and given back.
//
// Pure.
#pragma once

#include <string>

#include "api/sql/query/bind/vector_defaults.h"
#include "api/sql/query/computed/computed_properties.h"
#include "base/clock.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

// Without throughput, which comes by a header. kInvalidArgument says which property is wrong and
// what it should be.
Result<gateway::ContainerSettings> NewContainer(model::DocumentView body, Micros now);

// Returns the settings of `entry` after a PUT of `body`. kInvalidArgument for a property that
// cannot change: the id, the partition key, the unique keys and what clients encrypt.
Result<gateway::ContainerSettings> ChangedContainer(const gateway::ContainerEntry& entry,
                                                    model::DocumentView body, Micros now);

// As clients see it, system properties included.
model::Value SeenContainer(const gateway::ContainerEntry& entry);
ComputedProperties ComputedPropertiesOf(const gateway::ContainerEntry& entry);
VectorDefaults VectorDefaultsOf(const gateway::ContainerEntry& entry);
// Returns the properties that clients encrypt; undefined when none.
model::Value EncryptionPolicyOf(const gateway::ContainerSettings& settings);
std::string ContainerEtag(const gateway::ContainerEntry& entry);

}  // namespace orrery::sql
