#include "cli/simulation/simulation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/simulation/heat_colours.h"
#include "cli/simulation/simulation_chart.h"
#include "cluster/simulation/simulation.h"

namespace orrery::cli {
namespace {

using cluster::KeyDistribution;
using cluster::Outcome;
using cluster::Scenario;
using partition::kGigabyte;
using std::chrono::hours;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Outcome Simulated(const Scenario& scenario) {
  auto outcome = cluster::Simulate(scenario);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message();
  return outcome.has_value() ? *std::move(outcome) : Outcome{};
}

std::vector<std::string> AdviceOn(const Scenario& scenario) {
  return SimulationAdvice(scenario, Simulated(scenario));
}

constexpr auto kLose = cluster::ScenarioEvent::Kind::kLoseNodes;

TEST(SimulationReport, TheTableSumsCountsOverItsRows) {
  const Outcome outcome = Simulated({.duration = hours(4),
                                     .events = {{hours(1), kLose, 1}},
                                     .nodes = 2,
                                     .throughput = 100'000,
                                     .bytes = kGigabyte});
  EXPECT_EQ(SimulationTable(outcome, 2),
            "TIME  NODES  PARTITIONS  DATA  SPLITS  TAKE-OVERS  MOVES  UNOWNED  HOTTEST  THROTTLED"
            "  NODE LOAD\n"
            "0:00      1          10  1 GB       0           5      0     33 s     12 %        0 %"
            "  1.00..1.00\n"
            "2:00      1          10  1 GB       0           0      0      0 s     12 %        0 %"
            "  1.00..1.00\n");
}

TEST(SimulationReport, TheTableHasNoMoreRowsThanTicks) {
  const std::string table = SimulationTable(Simulated({.duration = std::chrono::minutes(3)}), 24);
  EXPECT_EQ(std::ranges::count(table, '\n'), 4);
}

TEST(SimulationReport, TheSummarySaysWhatHappened) {
  const Scenario scenario{.events = {{hours(1), kLose, 1}},
                          .nodes = 2,
                          .bytes = 20 * kGigabyte,
                          .bytes_per_day = 200 * kGigabyte};
  const std::string summary = SimulationSummary(scenario, Simulated(scenario));
  EXPECT_THAT(summary, HasSubstr("2 at the start, 8 at the end; 6 splits by storage"));
  EXPECT_THAT(summary, HasSubstr("1 take-over,"));
  EXPECT_THAT(summary, HasSubstr("the slowest take-over took 6."));
  EXPECT_THAT(summary, HasSubstr("0 % of the request units wanted were throttled"));
}

TEST(SimulationAdvice, AllIsWell) {
  EXPECT_THAT(AdviceOn({.duration = hours(1)}), ElementsAre(HasSubstr("All is well")));
}

TEST(SimulationAdvice, AHotKeyIsNamed) {
  EXPECT_THAT(AdviceOn({.duration = hours(1),
                        .throughput = 100'000,
                        .demand = 60'000,
                        .bytes = kGigabyte,
                        .distribution = KeyDistribution::kZipf,
                        .zipf_exponent = 1.3}),
              Contains(HasSubstr("Logical partition \"key-1\" takes")));
}

TEST(SimulationAdvice, ACoarseKeyIsCalledSo) {
  EXPECT_THAT(AdviceOn({.duration = hours(1), .throughput = 40'000, .bytes = kGigabyte, .keys = 5}),
              Contains(HasSubstr("too coarse: 5 values over 4 partitions")));
}

TEST(SimulationAdvice, TooLittleThroughput) {
  EXPECT_THAT(AdviceOn({.duration = hours(1), .throughput = 20'000, .demand = 30'000.5}),
              Contains(HasSubstr("Provision at least 30,100 RU/s")));
}

TEST(SimulationAdvice, MoreNodesThanPartitions) {
  EXPECT_THAT(AdviceOn({.duration = hours(1), .nodes = 9}),
              Contains(HasSubstr("9 nodes for 4 partitions")));
}

TEST(SimulationAdvice, PartitionsThatCannotSplit) {
  EXPECT_THAT(AdviceOn({.bytes = 20 * kGigabyte, .bytes_per_day = 100 * kGigabyte, .keys = 2}),
              Contains(HasSubstr("cannot be split")));
}

TEST(SimulationChart, DrawsEveryPanel) {
  const Scenario scenario{.events = {{hours(1), kLose, 1}}, .nodes = 5};
  const std::string svg = DrawSimulation(scenario, Simulated(scenario));
  for (const char* part : {"Physical partitions", "Throttled share", "Load of nodes",
                           "Changes of owner", "Heat of the ring", "prefers-color-scheme:dark",
                           "5 nodes, 1 containers of 20,000 RU/s, 1d simulated, seed 1"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(SimulationChart, OneTickIsEnough) {
  const Scenario scenario{.duration = std::chrono::minutes(1), .demand = 0};
  EXPECT_THAT(DrawSimulation(scenario, Simulated(scenario)), Not(HasSubstr("nan")));
}

TEST(HeatColours, TheLimitIsTheBrightest) {
  EXPECT_EQ(HeatColour(1), "#f6e27f");
  EXPECT_EQ(HeatColour(5), HeatColour(kHeatMax));
  EXPECT_EQ(HeatColour(-1), HeatColour(0));
  EXPECT_EQ(HeatColour(0.5), HeatColour(0.501));
}

}  // namespace
}  // namespace orrery::cli
