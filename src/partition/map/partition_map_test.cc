#include "partition/map/partition_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "partition/map/partition_map_builder.h"

namespace orrery::partition {
namespace {

using MapPtr = std::shared_ptr<const PartitionMap>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ContainerId kBooks{1};
constexpr ContainerId kOrders{2};

HashRange RangeOf(uint64_t begin, uint64_t end) {
  return *HashRange::HalfOpen({begin, 0}, Hash128{end, 0});
}
HashRange From(uint64_t begin) { return *HashRange::HalfOpen({begin, 0}, std::nullopt); }

PartitionMapBuilder OnEmpty(std::initializer_list<uint64_t> partitions) {
  PartitionMapBuilder builder(std::make_shared<const PartitionMap>());
  for (const uint64_t id : partitions) EXPECT_TRUE(builder.AddPartition(PartitionId(id)));
  return builder;
}

// Books on partitions 1, 2, 3, cut at 100 and 200; orders whole on 3.
MapPtr Example() {
  PartitionMapBuilder builder = OnEmpty({1, 2, 3});
  EXPECT_TRUE(builder.SetContainer(kBooks, {{RangeOf(0, 100), PartitionId(1), ""},
                                            {RangeOf(100, 200), PartitionId(2), ""},
                                            {From(200), PartitionId(3), ""}}));
  EXPECT_TRUE(builder.SetContainer(kOrders, {{HashRange(), PartitionId(3), ""}}));
  return std::move(builder).Build().value();
}

std::vector<uint64_t> PartitionsOf(std::span<const RangeEntry> entries) {
  std::vector<uint64_t> ids;
  for (const RangeEntry& entry : entries) ids.push_back(entry.partition.value());
  return ids;
}

TEST(PartitionMap, FindsThePartitionOfAHash) {
  const MapPtr map = Example();
  EXPECT_EQ(map->version(), MapVersion(1));
  EXPECT_EQ(map->Lookup(kBooks, Hash128::Min()), PartitionId(1));
  EXPECT_EQ(map->Lookup(kBooks, {99, UINT64_MAX}), PartitionId(1));
  EXPECT_EQ(map->Lookup(kBooks, {100, 0}), PartitionId(2));
  EXPECT_EQ(map->Lookup(kBooks, Hash128::Max()), PartitionId(3));
  EXPECT_EQ(map->Lookup(kOrders, {100, 0}), PartitionId(3));
  EXPECT_EQ(map->Lookup(ContainerId(9), {100, 0}), std::nullopt);
}

TEST(PartitionMap, FindsOverlappingRanges) {
  const MapPtr map = Example();
  EXPECT_THAT(PartitionsOf(map->Overlapping(kBooks, RangeOf(50, 150))), ElementsAre(1, 2));
  EXPECT_THAT(PartitionsOf(map->Overlapping(kBooks, RangeOf(100, 200))), ElementsAre(2));
  EXPECT_THAT(PartitionsOf(map->Overlapping(kBooks, HashRange())), ElementsAre(1, 2, 3));
  EXPECT_TRUE(map->Overlapping(ContainerId(9), HashRange()).empty());
}

TEST(PartitionMap, KnowsThePartitionsSlices) {
  const MapPtr map = Example();
  EXPECT_THAT(map->Find(PartitionId(3))->ListSlices(),
              ElementsAre(Slice{kBooks, From(200)}, Slice{kOrders, HashRange()}));
  EXPECT_EQ(map->Find(PartitionId(4)), nullptr);
}

TEST(PartitionMap, SplitReplacesTheParentByItsChildren) {
  const MapPtr before = Example();
  PartitionMapBuilder builder(before);
  ASSERT_TRUE(builder.AddPartition(PartitionId(4), {PartitionId(2)}));
  ASSERT_TRUE(builder.AddPartition(PartitionId(5), {PartitionId(2)}));
  ASSERT_TRUE(builder.Assign({kBooks, RangeOf(100, 150)}, PartitionId(4)));
  ASSERT_TRUE(builder.Assign({kBooks, RangeOf(150, 200), "1234"}, PartitionId(5)));
  ASSERT_TRUE(builder.RemovePartition(PartitionId(2)));
  const MapPtr after = std::move(builder).Build().value();

  EXPECT_EQ(after->version(), MapVersion(2));
  EXPECT_THAT(PartitionsOf(after->Ranges(kBooks)), ElementsAre(1, 4, 5, 3));
  EXPECT_EQ(after->Ranges(kBooks)[2].begin_epk, "1234");
  EXPECT_EQ(after->Lookup(kBooks, {149, 7}), PartitionId(4));
  EXPECT_EQ(after->Find(PartitionId(2)), nullptr);
  EXPECT_THAT(after->Find(PartitionId(5))->parents, ElementsAre(PartitionId(2)));
  EXPECT_THAT(after->Find(PartitionId(5))->ListSlices(),
              ElementsAre(Slice{kBooks, RangeOf(150, 200)}));
  // The old snapshot is untouched, and what did not change is shared.
  EXPECT_EQ(before->Lookup(kBooks, {149, 7}), PartitionId(2));
  EXPECT_EQ(before->Ranges(kOrders).data(), after->Ranges(kOrders).data());
}

TEST(PartitionMap, MergeJoinsNeighbouringRanges) {
  PartitionMapBuilder builder(Example());
  ASSERT_TRUE(builder.AddPartition(PartitionId(6), {PartitionId(1), PartitionId(2)}));
  ASSERT_TRUE(builder.Assign({kBooks, RangeOf(0, 100)}, PartitionId(6)));
  ASSERT_TRUE(builder.Assign({kBooks, RangeOf(100, 200)}, PartitionId(6)));
  ASSERT_TRUE(builder.RemovePartition(PartitionId(1)));
  ASSERT_TRUE(builder.RemovePartition(PartitionId(2)));
  const MapPtr map = std::move(builder).Build().value();
  EXPECT_THAT(map->Find(PartitionId(6))->ListSlices(), ElementsAre(Slice{kBooks, RangeOf(0, 200)}));
  EXPECT_EQ(map->Ranges(kBooks).size(), 2u);
}

TEST(PartitionMap, RemovedContainerLeavesItsPartitions) {
  PartitionMapBuilder builder(Example());
  ASSERT_TRUE(builder.RemoveContainer(kBooks));
  const MapPtr map = std::move(builder).Build().value();
  EXPECT_EQ(map->Lookup(kBooks, {}), std::nullopt);
  EXPECT_TRUE(map->Find(PartitionId(1))->slices.empty());
  EXPECT_EQ(map->Find(PartitionId(3))->slices.size(), 1u);
}

TEST(PartitionMap, RefusesWhatDoesNotCoverTheRing) {
  PartitionMapBuilder builder = OnEmpty({1, 2});
  const auto error = [&](RangeTable table) {
    const Status status = builder.SetContainer(kBooks, std::move(table));
    return status.has_value() ? "" : status.error().message();
  };
  EXPECT_THAT(error({}), HasSubstr("no ranges"));
  EXPECT_THAT(error({{From(1), PartitionId(1), ""}}), HasSubstr("must begin at"));
  EXPECT_THAT(error({{RangeOf(0, 9), PartitionId(1), ""}}), HasSubstr("must reach the top"));
  EXPECT_THAT(error({{RangeOf(0, 9), PartitionId(1), ""}, {From(10), PartitionId(2), ""}}),
              HasSubstr("do not follow each other"));
  EXPECT_THAT(error({{RangeOf(0, 9), PartitionId(1), ""}, {From(8), PartitionId(2), ""}}),
              HasSubstr("overlap"));
  EXPECT_THAT(error({{HashRange(), PartitionId(7), ""}}), HasSubstr("no partition 7"));
}

TEST(PartitionMap, RefusesToRemoveAPartitionWithSlices) {
  PartitionMapBuilder builder(Example());
  ASSERT_TRUE(builder.RemovePartition(PartitionId(3)));
  const auto result = std::move(builder).Build();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message(), HasSubstr("partition 3 is removed but still has 2 slices"));
}

TEST(PartitionMap, NeverReusesAnId) {
  PartitionMapBuilder builder(Example());
  EXPECT_EQ(builder.AddPartition(PartitionId(3)).error().code(), Code::kAlreadyExists);
  EXPECT_EQ(builder.RemovePartition(PartitionId(8)).error().code(), Code::kNotFound);
  EXPECT_EQ(builder.RemoveContainer(ContainerId(8)).error().code(), Code::kNotFound);
}

TEST(PartitionMap, RandomAssignmentsAgreeWithAModel) {
  constexpr uint64_t kSeed = 271'828;
  std::mt19937_64 random(kSeed);
  std::vector<uint64_t> model(200, 1);
  PartitionMapBuilder first = OnEmpty({1, 2, 3, 4, 5});
  ASSERT_TRUE(first.SetContainer(kBooks, {{HashRange(), PartitionId(1), ""}}));
  MapPtr map = std::move(first).Build().value();
  for (int round = 0; round < 150; ++round) {
    const uint64_t begin = random() % model.size();
    const uint64_t end = begin + 1 + random() % (model.size() - begin);
    const uint64_t partition = 1 + random() % 5;
    PartitionMapBuilder builder(map);
    const HashRange range = end == model.size() ? From(begin) : RangeOf(begin, end);
    ASSERT_TRUE(builder.Assign({kBooks, range}, PartitionId(partition)));
    map = std::move(builder).Build().value();
    std::fill(model.begin() + begin, model.begin() + end, partition);
    size_t slices = 0;
    map->ForEachPartition([&](const PartitionInfo& info) { slices += info.slices.size(); });
    ASSERT_EQ(slices, map->Ranges(kBooks).size());
    for (uint64_t i = 0; i < model.size(); ++i) {
      ASSERT_EQ(map->Lookup(kBooks, {i, random()}), PartitionId(model[i])) << "seed " << kSeed;
    }
  }
}

TEST(PartitionMap, ManyPartitionsChangeOneAtATime) {
  constexpr uint64_t kPartitions = 20'000;
  PartitionMapBuilder all(std::make_shared<const PartitionMap>());
  for (uint64_t id = 1; id <= kPartitions; ++id) {
    ASSERT_TRUE(all.AddPartition(PartitionId(id)));
    ASSERT_TRUE(all.SetContainer(ContainerId(static_cast<uint32_t>(id)),
                                 {{HashRange(), PartitionId(id), ""}}));
  }
  MapPtr map = std::move(all).Build().value();
  for (uint64_t id = 1; id <= 500; ++id) {
    PartitionMapBuilder builder(map);
    const ContainerId container(static_cast<uint32_t>(id));
    ASSERT_TRUE(builder.AddPartition(PartitionId(kPartitions + id), {PartitionId(id)}));
    ASSERT_TRUE(builder.Assign({container, From(1'000)}, PartitionId(kPartitions + id)));
    map = std::move(builder).Build().value();
  }
  EXPECT_EQ(map->partition_count(), kPartitions + 500);
  EXPECT_EQ(map->Lookup(ContainerId(500), {1'000, 0}), PartitionId(kPartitions + 500));
}

}  // namespace
}  // namespace orrery::partition
