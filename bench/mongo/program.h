// `orrery-bench mongo`: drives a server that speaks MongoDB's protocol, mongod or Orrery, and
// measures it.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Returns the exit code: 2 for wrong flags, 1 when an operation failed.
int RunMongoProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
