// Serves the explorer's page and its session: /_explorer/, its assets, /_explorer/session.
#pragma once

#include <string>

#include "portal/explorer/door.h"
#include "portal/explorer/explorer_assets.h"
#include "portal/router.h"

namespace orrery::portal {

struct ExplorerParts {
  Door& door;
  ExplorerAssets assets;  // empty: a page of one sentence
  std::string account;
  std::string version;
};

// All must outlive the router. One exact route for each file, and none that takes a pattern.
void AddExplorerRoutes(Router& router, ExplorerParts parts);

}  // namespace orrery::portal
