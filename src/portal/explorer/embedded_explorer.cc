#include "portal/explorer/explorer_assets.h"

namespace orrery::portal {

ExplorerAssets EmbeddedExplorer() { return {}; }

}  // namespace orrery::portal
