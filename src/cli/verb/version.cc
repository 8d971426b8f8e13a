#include "cli/verb/version.h"

#include <fmt/format.h>

namespace orrery::cli {

std::string_view Version() { return ORRERY_VERSION; }

std::string VersionText(bool has_explorer) {
  return fmt::format("orrery {} ({} build, {})\n{}\n", Version(), ORRERY_BUILD_TYPE, __VERSION__,
                     has_explorer ? "with the explorer at /_explorer/"
                                  : "without the explorer: it was built without npm, or with "
                                    "ORRERY_EXPLORER=off");
}

}  // namespace orrery::cli
