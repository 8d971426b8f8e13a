// Measures what containers and idle partitions cost.
#include <fmt/core.h>

#include "core/fixture.h"
#include "core/sections.h"

namespace orrery::bench {

std::string BenchFootprint(const BenchOptions& options) {
  const int containers = options.quick ? 20 : 1'000;
  const int partitions = options.quick ? 10 : 1'000;
  Fixture fixture({.directory = options.directory + "/footprint", .limits = {}});
  fixture.MakeContainer("first", 0, true);
  const double start = Now();
  for (int i = 0; i < containers; ++i) fixture.MakeContainer(fmt::format("c{}", i), 0, true);
  const double creating = Now() - start;

  const size_t before = ResidentBytes();
  const double start_partitions = Now();
  // Ten partitions a container.
  for (int i = 0; i < partitions / 10; ++i)
    fixture.MakeContainer(fmt::format("p{}", i), 100'000, true);
  const double creating_partitions = Now() - start_partitions;
  const double each = static_cast<double>(ResidentBytes() - before) / partitions;
  return fmt::format(
      "## Footprint\n| what | measured | goal |\n|---|---|---|\n"
      "| {} containers without throughput created | {:.2f} s | 5 s for 1,000 |\n"
      "| {} idle physical partitions | {:.2f} MB each | < 2 MB |\n"
      "| the same, time to create | {:.1f} ms each | |\n",
      containers, creating, partitions, each / 1e6, creating_partitions * 1e3 / partitions);
}

}  // namespace orrery::bench
