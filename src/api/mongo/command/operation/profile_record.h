// Makes the records of the profiler, and gives the collections that it keeps.
#pragma once

#include <optional>
#include <vector>

#include "api/mongo/catalog/namespace.h"
#include "api/mongo/command/command_context.h"
#include "api/mongo/error/mongo_error.h"
#include "base/clock.h"
#include "model/document/document.h"

namespace orrery::mongo {

// Records a command that has ended, if its database is profiled and it is one to record. `error`
// is null for one that succeeded.
void RecordProfile(const CommandContext& context, Micros took, const MongoError* error,
                   size_t response_bytes);

// The documents of a collection that the profiler keeps; nullopt for another one.
std::optional<std::vector<model::Document>> ProfileRows(const CommandContext& context,
                                                        const Namespace& name);

}  // namespace orrery::mongo
