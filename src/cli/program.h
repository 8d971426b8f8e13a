// The `orrery` program: reads the command line, finds the verb, runs it, and turns its outcome into
// output and an exit code.
#pragma once

#include <iosfwd>

#include "cli/verb/verb.h"

namespace orrery::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // the verb could not do what it was told
inline constexpr int kExitUsage = 2;   // the command line makes no sense

// The ways in which verbs bring up a server in this process.
struct ServerFunctions {
  ServeFunction serve;
  RunFunction run;
  OpenFunction open;
  bool has_explorer = false;  // whether servers have the explorer's page
};

// Errors go to `err` as one line "orrery: ...".
int RunProgram(int argc, const char* const* argv, const char* const* environment,
               ServerFunctions server, std::ostream& out, std::ostream& err);

}  // namespace orrery::cli
