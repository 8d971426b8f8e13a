// `orrery-bench core`: measures the core in this process.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Prints Markdown to stdout; returns the exit code: 2 for wrong flags.
int RunCoreProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
