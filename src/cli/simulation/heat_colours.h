// The colours of a heat map: how much is wanted of a partition, relative to its rate.
//
// Blue to yellow is within the rate, yellow to dark red beyond it, so that the limit is a line to
// see. Brightness rises up to the limit and falls beyond it. Pure.
#pragma once

#include <string>

namespace orrery::cli {

inline constexpr double kHeatMax = 2;  // all beyond has the same colour

// "#rrggbb" of demand over rate, in steps small enough to look smooth and large enough that
// neighbours are often alike.
std::string HeatColour(double demand_over_rate);

}  // namespace orrery::cli
