#include "gateway/catalog/container_placement.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

using partition::HashRange;
using partition::KeyHashing;

TEST(ContainerPlacement, AloneDividesWhatTheHashingUses) {
  const auto change = PlaceAlone(ContainerId(5), KeyHashing::kV2, 4);
  ASSERT_EQ(change.create.size(), 4u);
  EXPECT_EQ(change.create[0].slices.at(0).range.begin(), Hash128::Min());
  EXPECT_EQ(change.create[1].slices.at(0).range.begin().ToString(),
            "10000000000000000000000000000000");
  EXPECT_EQ(change.create[3].slices.at(0).range.begin().ToString(),
            "30000000000000000000000000000000");
  EXPECT_TRUE(change.create[3].slices.at(0).range.reaches_top());
  for (const auto& partition : change.create)
    EXPECT_EQ(partition.throughput_owner, cluster::ThroughputOwner::Of(ContainerId(5)));
}

TEST(ContainerPlacement, AcrossGivesEachPartitionOneSlice) {
  const PartitionId partitions[] = {PartitionId(9), PartitionId(4)};
  const auto change = PlaceAcross(ContainerId(5), KeyHashing::kCassandra, partitions);
  ASSERT_EQ(change.add_slices.size(), 2u);
  EXPECT_EQ(change.add_slices[0].first, PartitionId(9));
  EXPECT_TRUE(change.add_slices[0].second.range.Precedes(change.add_slices[1].second.range));
  EXPECT_EQ(change.add_slices[1].second.range.begin().ToString(),
            "80000000000000000000000000000000");
}

TEST(ContainerPlacement, WholeCoversTheRing) {
  const auto change = PlaceWhole(ContainerId(5), PartitionId(1));
  ASSERT_EQ(change.add_slices.size(), 1u);
  EXPECT_EQ(change.add_slices[0].second.range, HashRange());
}

}  // namespace
}  // namespace orrery::gateway
