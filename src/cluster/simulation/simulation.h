// Runs a cluster of nodes and partitions on a virtual clock, with the planners of the real one
// deciding: partition/split_planner.h what is split where, partition/placement who owns what.
//
// The simulation covers load, size, ownership and time; no item exists, and mechanisms take what
// their goals say (Scenario::take_over, open, move_pause). Within a tick all is even: a throttled
// share is that of the tick's mean demand, so bursts within a minute are not seen.
//
// One call, one thread, no I/O, no real clock; the same scenario gives the same outcome.
#pragma once

#include "base/status.h"
#include "cluster/simulation/outcome.h"
#include "cluster/simulation/scenario.h"

namespace orrery::cluster {

// It begins with everything split and owned as the planners want it, and counts from there.
// kInvalidArgument as ValidateScenario; kResourceExhausted when growth makes too many partitions.
Result<Outcome> Simulate(const Scenario& scenario);

}  // namespace orrery::cluster
