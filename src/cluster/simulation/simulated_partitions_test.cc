#include "cluster/simulation/simulated_partitions.h"

#include <gtest/gtest.h>

#include <numeric>

namespace orrery::cluster {
namespace {

using partition::kGigabyte;

class SimulatedPartitionsTest : public ::testing::Test {
 protected:
  // Returns the demand of all partitions together.
  static double SumOfDemand(const SimulatedPartitions& partitions, const Weather& weather) {
    double sum = 0;
    for (size_t slot = 0; slot < partitions.size(); ++slot)
      sum += partitions.DemandOf(slot, weather);
    return sum;
  }

  const Weather weather_{.demand = 10'000, .bytes = 100.0 * kGigabyte};
};

TEST_F(SimulatedPartitionsTest, ContainersBeginWithWhatTheirThroughputNeeds) {
  const Scenario scenario{.containers = 3, .throughput = 50'000};
  const SimulatedPartitions partitions(scenario);
  EXPECT_EQ(partitions.size(), 15);
  EXPECT_EQ(partitions.RateOf(0), 10'000);
  EXPECT_NEAR(SumOfDemand(partitions, weather_), 3 * weather_.demand, 1);
}

TEST_F(SimulatedPartitionsTest, ASplitKeepsTheSumAndTheOwner) {
  const Scenario scenario{.distribution = KeyDistribution::kZipf};
  SimulatedPartitions partitions(scenario);
  for (partition::OwnedPartition& each : partitions.owned()) each.owner = NodeId(7);
  partitions.Feel(weather_);
  const auto splits = partitions.Split(weather_);
  ASSERT_TRUE(splits.has_value());
  EXPECT_EQ(splits->by_storage, 2);  // both of 50 GB
  EXPECT_EQ(partitions.size(), 4);
  EXPECT_EQ(partitions.changed().size(), 4);
  EXPECT_NEAR(SumOfDemand(partitions, weather_), weather_.demand, 1);
  for (size_t slot = 0; slot < partitions.size(); ++slot) {
    EXPECT_EQ(partitions.owned()[slot].owner, NodeId(7));
    EXPECT_EQ(partitions.SlotOf(partitions.IdOf(slot)), slot);
    EXPECT_EQ(partitions.RateOf(slot), 5'000);
  }
}

TEST_F(SimulatedPartitionsTest, WhatCannotBeSplitIsToldOnceAndLeftAlone) {
  const Scenario scenario{.throughput = 1'000, .keys = 1};
  SimulatedPartitions partitions(scenario);
  for (int round = 0; round < 3; ++round) {
    partitions.Feel(weather_);
    EXPECT_EQ(partitions.Split(weather_)->Sum(), 0);
  }
  EXPECT_EQ(partitions.Stuck().size(), 1);
}

TEST_F(SimulatedPartitionsTest, TheHeatOfTheRingIsItsPartitions) {
  const Scenario scenario{.throughput = 40'000, .keys = 1'000'000'000};
  const SimulatedPartitions partitions(scenario);
  for (const float heat : partitions.HeatOfFirst(8, weather_)) EXPECT_NEAR(heat, 0.25, 1e-3);
}

TEST_F(SimulatedPartitionsTest, ListedKeysAreOnePopulationForAll) {
  const Scenario scenario{.containers = 2,
                          .throughput = 1'000,
                          .distribution = KeyDistribution::kListed,
                          .listed = {{"a", 1, 0}, {"b", 3, 0}}};
  const SimulatedPartitions partitions(scenario);
  const ContainerOutcome outcome = partitions.Describe(weather_);
  EXPECT_EQ(outcome.keys, 2);
  ASSERT_EQ(outcome.hottest.size(), 2);
  EXPECT_EQ(outcome.hottest[0].key, "b");
  EXPECT_NEAR(outcome.hottest[0].demand, 7'500, 1e-6);
}

}  // namespace
}  // namespace orrery::cluster
