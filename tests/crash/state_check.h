// Checks that what is stored at the end follows from what clients were told, without a feed to
// help.
//
// Needs only the acknowledgements' LSNs: per key the highest acknowledged write must be there, or a
// later one whose outcome is unknown. Weaker than version_check.h, but good for every container.
#pragma once

#include "crash/history.h"

namespace orrery::crash {

// `after` was read between `began_us` and `ended_us`.
Violations CheckState(const History& history, const State& after, uint64_t began_us,
                      uint64_t ended_us);

}  // namespace orrery::crash
