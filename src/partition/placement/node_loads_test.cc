#include "partition/placement/node_loads.h"

#include <gtest/gtest.h>

namespace orrery::partition {
namespace {

TEST(NodeLoads, FindsTheHeaviestAndTheLightest) {
  NodeLoads loads({{1, {0.5, 0.2}}, {1, {0.9, 0.1}}, {1, {0.1, 0.6}}});
  EXPECT_EQ(loads.HeaviestGiver(), 1);
  EXPECT_EQ(loads.LightestTaker(), 0);
  loads.Remove(1, {0.7, 0});
  EXPECT_EQ(loads.HeaviestGiver(), 2);
  EXPECT_EQ(loads.LightestTaker(), 1);
}

TEST(NodeLoads, ALargerNodeIsLighterUnderTheSameLoad) {
  const NodeLoads loads({{1, {0.5, 0.5}}, {2, {0.5, 0.5}}});
  EXPECT_EQ(loads.LightestTaker(), 1);
  EXPECT_DOUBLE_EQ(loads.PressureOf(1), 0.25);
}

TEST(NodeLoads, APartitionOfOneKindGoesWhereThatKindIsFew) {
  const NodeLoads loads({{1, {0.2, 0.9}}, {1, {0.8, 0.1}}, {1, {0.5, 0.5}}});
  EXPECT_EQ(loads.BestTaker({0, 0.1}, std::nullopt), 1);
  EXPECT_EQ(loads.BestTaker({0.1, 0}, std::nullopt), 0);
  EXPECT_NE(loads.BestTaker({0.1, 0}, 0), 0);
}

TEST(NodeLoads, ClosedNodesAreNotOffered) {
  NodeLoads loads({{1, {0.1, 0.1}}, {1, {0.9, 0.9}}});
  loads.CloseTaker(0);
  EXPECT_EQ(loads.LightestTaker(), 1);
  EXPECT_EQ(loads.BestTaker({0.1, 0.1}, 1), std::nullopt);
  loads.CloseGiver(1);
  EXPECT_EQ(loads.HeaviestGiver(), 0);
  loads.CloseTaker(1);
  EXPECT_EQ(loads.LightestTaker(), std::nullopt);
}

TEST(NodeLoads, TiesGoToTheLowerNumber) {
  const NodeLoads loads({{1, {}}, {1, {}}, {1, {}}});
  EXPECT_EQ(loads.HeaviestGiver(), 0);
  EXPECT_EQ(loads.LightestTaker(), 0);
  EXPECT_EQ(loads.BestTaker({1, 1}, std::nullopt), 0);
}

TEST(NodeLoads, GainIsTheGapThatRemains) {
  const NodeLoads loads({{1, {1, 1}}, {1, {0.2, 0.2}}});
  EXPECT_NEAR(loads.GainOf({0.1, 0.1}, 0, 1), 0.7, 1e-9);
  EXPECT_LT(loads.GainOf({0.9, 0.9}, 0, 1), 0);
  EXPECT_LT(loads.GainOf({0.1, 0.1}, 1, 0), 0);
}

}  // namespace
}  // namespace orrery::partition
