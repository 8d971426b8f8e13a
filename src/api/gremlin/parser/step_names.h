// The names of all steps of TinkerPop 3.7 and of what 3.8 and Cosmos DB add.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orrery::gremlin {

bool IsStepName(std::string_view name);
// Configuration of the source: withSack, withStrategies, ...
bool IsSourceStepName(std::string_view name);
// Ends a traversal: next, toList, iterate, ...
bool IsTerminalName(std::string_view name);

// The step whose name differs least from a wrong one; nullopt if none is near.
std::optional<std::string_view> NearestStepName(std::string_view name);
// "unknown step 'ouT()': did you mean 'out()'?"
std::string UnknownStep(std::string_view name);

}  // namespace orrery::gremlin
