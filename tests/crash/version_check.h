// Checks that a container's whole history is one that a single, careful clerk could have written,
// with the all-versions feed as the evidence for the order in which things happened.
//
// Checked per key, in LSN order: every acknowledged write is told exactly once, every entry told
// was written by somebody, each write found what it needs (a create nothing, a replace something,
// an etag its version), batches are whole at one LSN or absent, no write that ended before another
// began comes after it, reads saw a version that was current at some moment while they ran, and
// what is stored at the end is the last version told. An operation whose outcome is unknown may be
// in the order or not.
#pragma once

#include <vector>

#include "crash/history.h"

namespace orrery::crash {

// `changes`: what the feed told since the beginning of the history, in the order it did.
// REQUIRES: no item of the container has a lifetime.
Violations CheckVersions(const History& history, const std::vector<Change>& changes,
                         const State& after);

}  // namespace orrery::crash
