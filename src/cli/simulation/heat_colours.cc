#include "cli/simulation/heat_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::cli {
namespace {

constexpr double kStepsPerOne = 24;

struct Stop {
  double at;
  double red;
  double green;
  double blue;
};
constexpr std::array kStops{Stop{0, 0x1d, 0x2b, 0x53},    Stop{0.4, 0x1f, 0x6f, 0x8b},
                            Stop{0.75, 0x57, 0xb8, 0x9a}, Stop{1, 0xf6, 0xe2, 0x7f},
                            Stop{1.3, 0xf0, 0x8a, 0x24},  Stop{kHeatMax, 0x9d, 0x02, 0x08}};

int Mixed(double a, double b, double part) {
  return static_cast<int>(std::lround(a + (b - a) * part));
}

}  // namespace

std::string HeatColour(double demand_over_rate) {
  const double stepped = std::round(demand_over_rate * kStepsPerOne) / kStepsPerOne;
  const double value = std::clamp(std::isfinite(stepped) ? stepped : 0.0, 0.0, kHeatMax);
  const auto above =
      std::ranges::find_if(kStops, [&](const Stop& stop) { return stop.at >= value; });
  if (above == kStops.begin()) return HeatColour(1 / kStepsPerOne);
  const Stop& low = *std::prev(above);
  const double part = (value - low.at) / (above->at - low.at);
  return fmt::format("#{:02x}{:02x}{:02x}", Mixed(low.red, above->red, part),
                     Mixed(low.green, above->green, part), Mixed(low.blue, above->blue, part));
}

}  // namespace orrery::cli
