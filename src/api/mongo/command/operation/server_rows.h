// The rows of stages that read the server: $currentOp, $listSessions, $listLocalSessions,
// $collStats, $indexStats and $planCacheStats.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

using ServerRows = std::optional<std::vector<model::Document>>;

// Nullopt for another stage. `name` is where the pipeline runs: "$cmd.aggregate" as its collection
// for {aggregate: 1}.
Answer<ServerRows> ReadServerRows(const CommandContext& context, const Namespace& name,
                                  std::string_view stage, const model::Value& argument);

}  // namespace orrery::mongo
