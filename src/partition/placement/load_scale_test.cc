#include "partition/placement/load_scale.h"

#include <gtest/gtest.h>

#include "partition/placement/placement_testing.h"

namespace orrery::partition {
namespace {

TEST(LoadScale, AlikePartitionsShareEvenly) {
  TestCluster cluster;
  for (int i = 0; i < 20; ++i) cluster.AddPartition(100, 5);
  const LoadScale scale(cluster.partitions, 4);
  EXPECT_NEAR(scale.Of(cluster.partitions[0]).rate, 0.2, 1e-9);
  EXPECT_NEAR(scale.Of(cluster.partitions[0]).bytes, 0.2, 1e-9);
}

TEST(LoadScale, LoadsAddUpToTheNodes) {
  TestCluster cluster;
  std::mt19937_64 random(1);
  cluster.AddUnevenPartitions(500, random);
  const LoadScale scale(cluster.partitions, 7);
  Load sum;
  for (const OwnedPartition& partition : cluster.partitions) sum += scale.Of(partition);
  EXPECT_NEAR(sum.rate, 7, 1e-6);
  EXPECT_NEAR(sum.bytes, 7, 1e-6);
}

TEST(LoadScale, IdleAndEmptyPartitionsCountByNumber) {
  TestCluster cluster;
  for (int i = 0; i < 8; ++i) cluster.AddPartition(0, 0);
  const LoadScale scale(cluster.partitions, 4);
  EXPECT_NEAR(scale.Of(cluster.partitions[0]).rate, 0.5, 1e-9);
  EXPECT_NEAR(scale.Of(cluster.partitions[0]).bytes, 0.5, 1e-9);
}

TEST(LoadScale, AnIdlePartitionAmongBusyOnesStillCostsSomething) {
  TestCluster cluster;
  cluster.AddPartition(1'000, 100);
  cluster.AddPartition(0, 0);
  cluster.AddPartition(1'000, 100);
  EXPECT_GT(LoadScale(cluster.partitions, 1).Of(cluster.partitions[1]).rate, 0);
}

TEST(LoadScale, AGiantIsOneNodeAndTheRestIsSharedByTheOthers) {
  TestCluster cluster;
  cluster.AddPartition(1, 1e9);
  for (int i = 0; i < 90; ++i) cluster.AddPartition(1, 1);
  const LoadScale scale(cluster.partitions, 10);
  EXPECT_DOUBLE_EQ(scale.Of(cluster.partitions[0]).rate, 1);
  // Ninety alike on nine nodes.
  EXPECT_NEAR(scale.Of(cluster.partitions[1]).rate, 0.1, 1e-6);
}

TEST(LoadScale, FewerPartitionsThanNodes) {
  TestCluster cluster;
  for (int i = 0; i < 3; ++i) cluster.AddPartition(10, 10);
  const LoadScale scale(cluster.partitions, 10);
  for (const OwnedPartition& partition : cluster.partitions)
    EXPECT_NEAR(scale.Of(partition).rate, 1, 1e-9);
}

TEST(LoadScale, NoPartitionsNoLoad) {
  EXPECT_EQ(LoadScale({}, 3).Of({.id = PartitionId(1), .bytes = 5, .rate = 5}).rate, 0);
}

}  // namespace
}  // namespace orrery::partition
