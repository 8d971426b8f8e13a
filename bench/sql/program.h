// `orrery-bench sql`: the load generator of the SQL API as a program.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Prints the report to stdout and problems to stderr; returns the exit code: 0, 1 when the run
// failed or had failures, 2 for wrong flags.
int RunSqlProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
