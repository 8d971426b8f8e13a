// The `orrery` program. Everything is in cli/ (the verbs) and server/ (what `serve` runs).
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>

#include "cli/program.h"
#include "portal/explorer/explorer_assets.h"
#include "server/private_server.h"
#include "server/run_command.h"
#include "server/serve.h"

int main(int argc, char** argv) {
  try {
    return orrery::cli::RunProgram(argc, argv, environ,
                                   {.serve = orrery::server::Serve,
                                    .run = orrery::server::RunCommand,
                                    .open = orrery::server::OpenPrivately,
                                    .has_explorer = !orrery::portal::EmbeddedExplorer().empty()},
                                   std::cout, std::cerr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "orrery: %s\n", error.what());
    return orrery::cli::kExitFailed;
  }
}
