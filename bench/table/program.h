// `orrery-bench table`: the load generator of the Table API as a program.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Prints the report to stdout and problems to stderr; returns the exit code: 0, 1 when the run
// failed or had failures, 2 for wrong flags.
int RunTableProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
