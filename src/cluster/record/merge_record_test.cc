#include "cluster/record/merge_record.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using partition::HashRange;

constexpr ContainerId kOrders(1);
constexpr ContainerId kBooks(2);
constexpr Hash128 kMiddle{0x20, 0};
constexpr Hash128 kBelowMiddle{0x1f, UINT64_MAX};

Slice Low(ContainerId container) {
  return {container, HashRange::Inclusive(Hash128::Min(), kBelowMiddle)};
}
Slice High(ContainerId container) {
  return {container, HashRange::Inclusive(kMiddle, Hash128::Max()), "20"};
}
Slice Whole(ContainerId container) { return {container, HashRange()}; }

PartitionRecord Record(uint64_t id, std::vector<Slice> slices,
                       ThroughputOwner throughput_owner = ThroughputOwner::SharedPool()) {
  return {.id = PartitionId(id),
          .epoch = Epoch(id),
          .throughput_owner = throughput_owner,
          .slices = std::move(slices),
          .parents = {PartitionId(1)}};
}

TEST(MergeRecords, NeighboursBecomeOne) {
  for (const bool swapped : {false, true}) {
    const PartitionRecord low = Record(4, {Low(kOrders)}, ThroughputOwner::Of(kOrders));
    const PartitionRecord high = Record(5, {High(kOrders)}, ThroughputOwner::Of(kOrders));
    const auto merged = MergeRecords(swapped ? high : low, swapped ? low : high, PartitionId(9));
    ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
    EXPECT_EQ(merged->id, PartitionId(9));
    EXPECT_EQ(merged->epoch, Epoch(5));
    EXPECT_EQ(merged->throughput_owner, ThroughputOwner::Of(kOrders));
    EXPECT_EQ(merged->slices, std::vector{Whole(kOrders)});
    EXPECT_EQ(merged->parents.size(), 3u);
    EXPECT_EQ(merged->parents.front(), PartitionId(1));
  }
}

TEST(MergeRecords, SharedPartitionsBringAllTheirContainers) {
  const auto merged =
      MergeRecords(Record(4, {Low(kOrders), High(kBooks)}),
                   Record(5, {High(kOrders), Low(kBooks), Whole(ContainerId(3))}), PartitionId(9));
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(merged->slices, (std::vector{Whole(kOrders), Whole(kBooks), Whole(ContainerId(3))}));
}

TEST(MergeRecords, StrangersStayApart) {
  const auto refuse = [](const PartitionRecord& left, const PartitionRecord& right) {
    const auto merged = MergeRecords(left, right, PartitionId(9));
    EXPECT_EQ(merged.error().code(), Code::kPreconditionFailed);
    return merged.error().message();
  };
  EXPECT_EQ(refuse(Record(4, {}), Record(4, {})),
            "partitions 4 and 4 cannot be merged: they are the same");
  EXPECT_NE(
      refuse(Record(4, {Low(kOrders)}, ThroughputOwner::Of(kOrders)), Record(5, {High(kOrders)}))
          .find("different containers"),
      std::string::npos);
  const Slice top{kOrders, HashRange::Inclusive({0x30, 0}, Hash128::Max())};
  EXPECT_NE(refuse(Record(4, {Low(kOrders)}), Record(5, {top})).find("not neighbours"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::cluster
