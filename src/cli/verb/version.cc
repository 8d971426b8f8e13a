#include "cli/verb/version.h"

#include <fmt/format.h>

namespace orrery::cli {

std::string_view Version() { return ORRERY_VERSION; }

std::string VersionText() {
  return fmt::format("orrery {} ({} build, {})\n", Version(), ORRERY_BUILD_TYPE, __VERSION__);
}

}  // namespace orrery::cli
