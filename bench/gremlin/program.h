// `orrery-bench gremlin`: drives a server of Gremlin over WebSocket, Gremlin Server or Orrery, and
// measures it.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Returns the exit code: 2 for wrong flags, 1 when an operation failed.
int RunGremlinProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
