// The outcome of a simulation as text for a terminal: a table over time, a summary and advice.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cluster/simulation/outcome.h"
#include "cluster/simulation/scenario.h"

namespace orrery::cli {

// At most `rows` rows, each for an equal part of the time: counts and seconds are summed over it,
// shares and heats are its highest, the rest is how it ended. REQUIRES: rows >= 1.
std::string SimulationTable(const cluster::Outcome& outcome, size_t rows);

// Returns a summary of a few lines.
std::string SimulationSummary(const cluster::Scenario& scenario, const cluster::Outcome& outcome);

// Returns advice, the most urgent first; never empty.
std::vector<std::string> SimulationAdvice(const cluster::Scenario& scenario,
                                          const cluster::Outcome& outcome);

}  // namespace orrery::cli
