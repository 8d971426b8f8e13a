// Measures how evenly distinct keys fall on physical partitions.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/fixture.h"
#include "core/sections.h"

namespace orrery::bench {

std::string BenchSpread(const BenchOptions& options) {
  const uint64_t keys = options.quick ? 100'000 : 1'000'000;
  Fixture fixture({.directory = options.directory + "/spread", .limits = {}});
  const auto container = fixture.MakeContainer("spread", 100'000, false);
  const auto topology = fixture.node().topology();
  std::map<PartitionId, uint64_t> counts;
  for (uint64_t i = 0; i < keys; ++i) {
    const auto routed =
        Require(fixture.gateway().RoutePartitionKey(
                    *container, {model::Value::String(fmt::format("device-{}", i))}),
                "route");
    ++counts[topology->Route(container->id, routed.hash)->id()];
  }
  const double even = static_cast<double>(keys) / static_cast<double>(counts.size());
  double worst = 0;
  for (const auto& [id, count] : counts)
    worst = std::max(worst, std::abs(static_cast<double>(count) - even) / even);
  return fmt::format(
      "## Spread\n{} distinct keys over {} physical partitions: the worst differs by **{:.2f} %** "
      "from even. Goal: under 1 %.\n",
      keys, counts.size(), worst * 100);
}

}  // namespace orrery::bench
