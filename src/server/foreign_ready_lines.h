// The lines by which the images of other servers say that they are ready. Test libraries wait for
// them (the modules of Testcontainers, among others), so that they can wait for this server as well.
//
// Pure.
#pragma once

#include <string>

#include "server/endpoints.h"

namespace orrery::server {

// Of each API whose port is open; the last one is that of Cosmos DB's emulator, which some look for
// at the very end.
std::string ForeignReadyLines(const Endpoints& endpoints);

}  // namespace orrery::server
