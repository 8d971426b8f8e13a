// The outcome of a simulation as one SVG chart: partitions, throttled share, load of nodes and
// changes of owner over time, and where the ring was hot.
//
// Readable in light and in dark surroundings, without colour vision for red and green, and in
// grey; every axis says what it shows and in which unit. Pure.
#pragma once

#include <string>

#include "cluster/simulation/outcome.h"
#include "cluster/simulation/scenario.h"

namespace orrery::cli {

// REQUIRES: the outcome of the scenario.
std::string DrawSimulation(const cluster::Scenario& scenario, const cluster::Outcome& outcome);

}  // namespace orrery::cli
