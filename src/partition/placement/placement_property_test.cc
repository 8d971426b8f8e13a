// Properties that hold for every plan, on clusters drawn at random: node losses, additions, changes
// of load.
#include <gtest/gtest.h>

#include <set>

#include "partition/placement/placement_planner.h"
#include "partition/placement/placement_testing.h"

namespace orrery::partition {
namespace {

class PlacementProperty : public ::testing::TestWithParam<uint64_t> {
 protected:
  PlacementProperty() : random_(GetParam()) {
    SCOPED_TRACE(GetParam());
    cluster_.AddNodes(2 + random_() % 40);
    cluster_.AddUnevenPartitions(cluster_.nodes.size() * (10 + random_() % 40), random_);
  }

  // A plan that any caller can carry out as it stands.
  void ExpectSound(const PlacementPlan& plan, const PlacementOptions& options) {
    EXPECT_LE(plan.moves.size(), options.moves_max);
    std::set<PartitionId> touched;
    std::map<NodeId, uint32_t> arrivals;
    for (const auto* changes : {&plan.take_overs, &plan.moves}) {
      for (const OwnerChange& change : *changes) {
        EXPECT_TRUE(touched.insert(change.partition).second);
        EXPECT_EQ(cluster_.At(change.to).state, NodeState::kAlive);
        EXPECT_NE(change.from, change.to);
      }
    }
    for (const OwnerChange& change : plan.moves) {
      EXPECT_EQ(cluster_.At(change.partition).owner, change.from);
      EXPECT_LE(++arrivals[change.to], options.arrivals_per_node_max);
    }
  }

  void ExpectAllOwned() {
    for (const OwnedPartition& partition : cluster_.partitions) {
      ASSERT_TRUE(partition.owner.has_value());
      EXPECT_NE(cluster_.At(*partition.owner).state, NodeState::kGone);
    }
  }

  std::mt19937_64 random_;
  TestCluster cluster_;
  PlacementOptions options_;
};

TEST_P(PlacementProperty, OnePlanOwnsEverythingAndNothingFollows) {
  const PlacementPlan plan = cluster_.Plan(options_);
  ExpectSound(plan, options_);
  EXPECT_EQ(plan.take_overs.size(), cluster_.partitions.size());
  cluster_.CarryOut(plan);
  ExpectAllOwned();
  cluster_.Settle(options_);
  const PlacementPlan again = cluster_.Plan(options_);
  EXPECT_TRUE(again.take_overs.empty());
  EXPECT_TRUE(again.moves.empty());
}

TEST_P(PlacementProperty, LoadsStayWithinTheBound) {
  cluster_.Settle(options_);
  EXPECT_LE(cluster_.HighestLoad(), 1 + options_.tolerance + cluster_.LargestPartition());
}

TEST_P(PlacementProperty, TroubleIsAbsorbed) {
  cluster_.Settle(options_);
  for (int event = 0; event < 30; ++event) {
    switch (random_() % 4) {
      case 0:
        cluster_.AddNodes(1 + random_() % 2);
        break;
      case 1:
      case 2: {
        const size_t alive = static_cast<size_t>(
            std::ranges::count(cluster_.nodes, NodeState::kAlive, &NodeFacts::state));
        NodeFacts& unlucky = cluster_.nodes[random_() % cluster_.nodes.size()];
        if (alive > 1) unlucky.state = random_() % 2 == 0 ? NodeState::kGone : NodeState::kLeaving;
        break;
      }
      default:
        for (int i = 0; i < 10; ++i)
          cluster_.partitions[random_() % cluster_.partitions.size()].rate *= 3;
    }
    const PlacementPlan plan = cluster_.Plan(options_);
    ExpectSound(plan, options_);
    cluster_.CarryOut(plan);
    ExpectAllOwned();
  }
  cluster_.Settle(options_);
  for (const NodeFacts& node : cluster_.nodes) {
    if (node.state != NodeState::kAlive) EXPECT_EQ(cluster_.CountOf(node.id), 0);
  }
  EXPECT_LE(cluster_.HighestLoad(), 1 + options_.tolerance + cluster_.LargestPartition());
}

TEST_P(PlacementProperty, TheSameFactsGiveTheSamePlan) {
  cluster_.Settle(options_);
  cluster_.AddNodes(2);
  cluster_.nodes[0].state = NodeState::kGone;
  const PlacementPlan first = cluster_.Plan(options_);
  const PlacementPlan second = cluster_.Plan(options_);
  EXPECT_EQ(first.take_overs, second.take_overs);
  EXPECT_EQ(first.moves, second.moves);
}

TEST_P(PlacementProperty, ALostNodeMovesLittleElse) {
  cluster_.Settle(options_);
  cluster_.nodes[0].state = NodeState::kGone;
  cluster_.CarryOut(cluster_.Plan(options_));
  size_t moved = 0;
  for (int round = 0; round < 100; ++round) {
    const PlacementPlan plan = cluster_.Plan(options_);
    if (plan.moves.empty()) break;
    moved += plan.moves.size();
    cluster_.CarryOut(plan);
  }
  EXPECT_LE(moved, cluster_.partitions.size() / cluster_.nodes.size() + 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlacementProperty, ::testing::Range<uint64_t>(1, 41));

}  // namespace
}  // namespace orrery::partition
