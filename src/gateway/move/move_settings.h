// Makes the settings of the container that a move goes to: those of the source, with what the user
// wants changed. Pure.
#pragma once

#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/catalog/container_settings.h"
#include "model/document/document.h"

namespace orrery::gateway {

// `changes` may have "partitionKey", "throughput" (null: none), "uniqueKeys" and "indexingPolicy",
// as settings have them. kInvalidArgument for others, for settings that do not hold together, and
// where nothing would change; kUnsupported for a container of rows.
Result<ContainerSettings> SettingsOfMove(const ContainerEntry& source,
                                         model::DocumentView changes);

// Returns whether both have their items at the same keys.
bool HasSameKeys(const ContainerSettings& a, const ContainerSettings& b);

}  // namespace orrery::gateway
