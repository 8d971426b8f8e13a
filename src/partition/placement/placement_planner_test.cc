#include "partition/placement/placement_planner.h"

#include <gtest/gtest.h>

#include <set>

#include "partition/placement/placement_testing.h"

namespace orrery::partition {
namespace {

TestCluster EvenCluster(size_t nodes, size_t partitions) {
  TestCluster cluster;
  cluster.AddNodes(nodes);
  for (size_t i = 0; i < partitions; ++i) cluster.AddPartition(1'000, 10);
  cluster.Settle();
  return cluster;
}

TEST(PlacementPlanner, NewPartitionsAreSpreadAtOnce) {
  TestCluster cluster;
  cluster.AddNodes(4);
  for (int i = 0; i < 40; ++i) cluster.AddPartition(1'000, 10);
  const PlacementPlan plan = cluster.Plan();
  EXPECT_EQ(plan.take_overs.size(), 40);
  EXPECT_TRUE(plan.moves.empty());
  cluster.CarryOut(plan);
  for (const NodeFacts& node : cluster.nodes) EXPECT_EQ(cluster.CountOf(node.id), 10);
}

TEST(PlacementPlanner, TheMostLoadedIsTakenOverFirst) {
  TestCluster cluster;
  cluster.AddNodes(2);
  cluster.AddPartition(10, 1);
  cluster.AddPartition(10, 900);
  cluster.AddPartition(10, 5);
  const PlacementPlan plan = cluster.Plan();
  ASSERT_EQ(plan.take_overs.size(), 3);
  EXPECT_EQ(plan.take_overs[0].partition, PartitionId(2));
  EXPECT_EQ(plan.take_overs[0].reason, PlacementReason::kUnowned);
}

TEST(PlacementPlanner, WithoutNodesPartitionsAreHomeless) {
  TestCluster cluster = EvenCluster(2, 6);
  for (NodeFacts& node : cluster.nodes) node.state = NodeState::kGone;
  const PlacementPlan plan = cluster.Plan();
  EXPECT_EQ(plan.homeless, 6);
  EXPECT_TRUE(plan.take_overs.empty());
}

TEST(PlacementPlanner, APartitionOfALeavingNodeIsNotHomeless) {
  TestCluster cluster = EvenCluster(1, 6);
  cluster.nodes[0].state = NodeState::kLeaving;
  EXPECT_EQ(cluster.Plan().homeless, 0);
}

TEST(PlacementPlanner, AnUnknownOwnerIsGone) {
  TestCluster cluster = EvenCluster(2, 4);
  cluster.partitions[0].owner = NodeId(99);
  EXPECT_EQ(cluster.Plan().take_overs.size(), 1);
}

TEST(PlacementPlanner, ALostNodesPartitionsAreSpreadOverTheOthers) {
  TestCluster cluster = EvenCluster(11, 110);
  cluster.nodes[3].state = NodeState::kGone;
  const PlacementPlan plan = cluster.Plan();
  EXPECT_EQ(plan.take_overs.size(), 10);
  EXPECT_TRUE(plan.moves.empty());
  std::set<NodeId> takers;
  for (const OwnerChange& change : plan.take_overs) takers.insert(change.to);
  EXPECT_EQ(takers.size(), 10);
}

TEST(PlacementPlanner, AnEmptyNodeDoesNotTakeOverEverything) {
  TestCluster cluster = EvenCluster(11, 1'100);
  cluster.nodes[3].state = NodeState::kGone;
  cluster.AddNodes(1);
  std::map<NodeId, uint32_t> arrivals;
  const PlacementPlan plan = cluster.Plan();
  EXPECT_EQ(plan.take_overs.size(), 100);
  for (const OwnerChange& change : plan.take_overs) ++arrivals[change.to];
  EXPECT_EQ(arrivals[NodeId(12)], 20);  // twice the mean of eleven
}

TEST(PlacementPlanner, ANewNodeGetsItsShareFromAll) {
  TestCluster cluster = EvenCluster(20, 2'000);
  cluster.AddNodes(1);
  const PlacementPlan plan = cluster.Plan();
  EXPECT_EQ(plan.moves.size(), PlacementOptions{}.arrivals_per_node_max);
  std::set<NodeId> givers;
  for (const OwnerChange& change : plan.moves) {
    EXPECT_EQ(change.to, NodeId(21));
    EXPECT_EQ(change.reason, PlacementReason::kBalance);
    givers.insert(*change.from);
  }
  EXPECT_EQ(givers.size(), plan.moves.size());
  cluster.Settle();
  EXPECT_GE(cluster.CountOf(NodeId(21)), 80);
  EXPECT_LE(cluster.CountOf(NodeId(21)), 100);
}

TEST(PlacementPlanner, ALeavingNodeIsEmptiedWithinTheBounds) {
  TestCluster cluster = EvenCluster(5, 100);
  cluster.nodes[0].state = NodeState::kLeaving;
  const PlacementOptions options{.moves_max = 6};
  const PlacementPlan plan = cluster.Plan(options);
  EXPECT_EQ(plan.moves.size(), 6);
  EXPECT_EQ(plan.moves[0].reason, PlacementReason::kLeaving);
  EXPECT_TRUE(plan.take_overs.empty());
  EXPECT_EQ(cluster.Settle(options), 4);  // twenty partitions, six at a time
  EXPECT_EQ(cluster.CountOf(NodeId(1)), 0);
}

TEST(PlacementPlanner, OneHotPartitionIsMovedRatherThanManyCold) {
  TestCluster cluster = EvenCluster(4, 400);
  // One node's partitions become warm, and one of them hot.
  for (OwnedPartition& partition : cluster.partitions) {
    if (partition.owner == NodeId(1)) partition.rate = 12;
  }
  std::ranges::find(cluster.partitions, NodeId(1), &OwnedPartition::owner)->rate = 150;
  const PlacementPlan plan = cluster.Plan();
  ASSERT_EQ(plan.moves.size(), 1);
  EXPECT_EQ(cluster.At(plan.moves[0].partition).rate, 150);
}

TEST(PlacementPlanner, AGiantStaysWhereItIsAndOthersMakeRoom) {
  TestCluster cluster = EvenCluster(10, 100);
  OwnedPartition& giant = cluster.partitions[0];
  giant.rate = 100'000;
  const NodeId home = *giant.owner;
  cluster.Settle();
  EXPECT_EQ(giant.owner, home);
  // Not all of them: the node would be out of balance in bytes.
  EXPECT_LE(cluster.CountOf(home), 6);
}

TEST(PlacementPlanner, HotSmallAndColdLargePartitionsAreMixed) {
  TestCluster cluster;
  cluster.AddNodes(10);
  for (int i = 0; i < 100; ++i) cluster.AddPartition(1, 1'000);
  for (int i = 0; i < 100; ++i) cluster.AddPartition(1'000'000, 1);
  cluster.Settle();
  for (const auto& [node, load] : cluster.Loads()) {
    EXPECT_NEAR(load.rate, 1, 0.15);
    EXPECT_NEAR(load.bytes, 1, 0.15);
  }
}

TEST(PlacementPlanner, WhatWaversWithinTheToleranceMovesNothing) {
  TestCluster cluster = EvenCluster(20, 1'000);
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    for (OwnedPartition& partition : cluster.partitions)
      partition.rate = 8 + static_cast<double>(random() % 5);
    const PlacementPlan plan = cluster.Plan();
    EXPECT_TRUE(plan.moves.empty()) << "round " << round;
  }
}

TEST(PlacementPlanner, UnsettledPartitionsAreNotMovedButTakenOver) {
  TestCluster cluster = EvenCluster(2, 20);
  for (OwnedPartition& partition : cluster.partitions) {
    partition.owner = NodeId(1);
    partition.settled = false;
  }
  EXPECT_TRUE(cluster.Plan().moves.empty());
  cluster.nodes[0].state = NodeState::kGone;
  EXPECT_EQ(cluster.Plan().take_overs.size(), 20);
}

TEST(PlacementPlanner, ANodeOfTwiceTheCapacityCarriesTwiceAsMuch) {
  TestCluster cluster;
  cluster.AddNodes(3);
  cluster.AddNodes(1, 2);
  for (int i = 0; i < 500; ++i) cluster.AddPartition(1'000, 10);
  cluster.Settle();
  EXPECT_NEAR(static_cast<double>(cluster.CountOf(NodeId(4))), 200, 20);
}

TEST(PlacementPlanner, FewerPartitionsThanNodesMoveNothing) {
  TestCluster cluster = EvenCluster(10, 3);
  EXPECT_TRUE(cluster.Plan().moves.empty());
  cluster.AddNodes(5);
  EXPECT_TRUE(cluster.Plan().moves.empty());
}

}  // namespace
}  // namespace orrery::partition
