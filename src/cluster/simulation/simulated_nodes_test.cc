#include "cluster/simulation/simulated_nodes.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

TEST(SimulatedNodes, EventsHappenInTheirTick) {
  const Scenario scenario{.events = {{minutes(2), ScenarioEvent::Kind::kLoseNodes, 2},
                                     {minutes(3), ScenarioEvent::Kind::kAddNodes, 4}},
                          .nodes = 5};
  SimulatedNodes nodes(scenario);
  EXPECT_EQ(nodes.Pass(minutes(1)).lost, 0);
  EXPECT_EQ(nodes.Pass(minutes(2)).lost, 2);
  EXPECT_EQ(nodes.alive(), 3);
  EXPECT_EQ(nodes.Pass(minutes(3)).added, 4);
  EXPECT_EQ(nodes.alive(), 7);
  EXPECT_EQ(nodes.facts().size(), 9);
}

TEST(SimulatedNodes, NoMoreAreLostThanThereAre) {
  const Scenario scenario{.events = {{Micros(0), ScenarioEvent::Kind::kLoseNodes, 100}},
                          .nodes = 3};
  SimulatedNodes nodes(scenario);
  EXPECT_EQ(nodes.Pass(Micros(0)).lost, 3);
  EXPECT_EQ(nodes.alive(), 0);
}

TEST(SimulatedNodes, CrashesByChanceComeAsOftenAsTheLifetimeSaysAndEachReturnsAsANewNode) {
  const Scenario scenario{.nodes = 1'000, .node_lifetime = hours(100), .node_absence = minutes(30)};
  SimulatedNodes nodes(scenario);
  uint64_t lost = 0;
  uint64_t added = 0;
  for (int tick = 0; tick < 10 * 60; ++tick) {
    const auto changes = nodes.Pass(minutes(tick));
    lost += changes.lost;
    added += changes.added;
  }
  EXPECT_NEAR(static_cast<double>(lost), 100, 30);
  EXPECT_EQ(nodes.alive(), 1'000 - lost + added);
  EXPECT_GT(nodes.alive(), 985);
}

}  // namespace
}  // namespace orrery::cluster
