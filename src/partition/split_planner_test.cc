#include "partition/split_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace orrery::partition {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ThroughputOwnerId kOwner{1};
constexpr ContainerId kOnlyContainer{1};
constexpr Limits kSmall = {.physical_partition_bytes_max = 1'000, .merged_bytes_max = 600};

SliceFacts SliceOf(ContainerId container, const HashRange& range, uint64_t bytes) {
  return {.slice = {container, range}, .used = HashRange(), .bytes = bytes};
}

// `count` partitions, ids from 1, that divide one container evenly.
std::vector<PartitionFacts> Even(uint32_t count, uint64_t bytes_each) {
  std::vector<PartitionFacts> partitions;
  for (const HashRange& range : DivideEvenly(HashRange(), count)) {
    partitions.push_back({.id = PartitionId(partitions.size() + 1),
                          .owner = kOwner,
                          .slices = {SliceOf(kOnlyContainer, range, bytes_each)}});
  }
  return partitions;
}

std::vector<uint64_t> SplitIds(const SplitPlan& plan) {
  std::vector<uint64_t> ids;
  for (const SplitAction& action : plan.splits) ids.push_back(action.partition.value());
  return ids;
}

OwnerFacts Manual(int64_t rate) { return {kOwner, ThroughputSettings::Manual(rate)}; }

TEST(SplitPlanner, NothingToDo) {
  const auto partitions = Even(2, 999);
  const auto plan = PlanSplits(partitions, std::array{Manual(20'000)}, kSmall);
  EXPECT_THAT(plan.splits, IsEmpty());
  EXPECT_THAT(plan.stuck, IsEmpty());
}

TEST(SplitPlanner, FullPartitionSplits) {
  auto partitions = Even(3, 10);
  partitions[1].slices[0].bytes = 1'000;
  const auto plan = PlanSplits(partitions, {}, kSmall);
  ASSERT_THAT(SplitIds(plan), ElementsAre(2));
  EXPECT_EQ(plan.splits[0].reason, SplitReason::kStorage);
  EXPECT_EQ(plan.splits[0].cut, std::vector{partitions[1].slices[0].slice});
  EXPECT_THAT(plan.splits[0].first, IsEmpty());
}

TEST(SplitPlanner, OneKeyOrFixedContainerIsStuck) {
  auto partitions = Even(2, 2'000);
  partitions[0].slices[0].single_key = true;
  partitions[1].slices[0].fixed = true;
  const auto plan = PlanSplits(partitions, {}, kSmall);
  EXPECT_THAT(plan.splits, IsEmpty());
  ASSERT_EQ(plan.stuck.size(), 2u);
  EXPECT_THAT(plan.stuck[0].why, HasSubstr("one logical partition"));
  EXPECT_THAT(plan.stuck[1].why, HasSubstr("fixed container"));
}

TEST(SplitPlanner, OneKeyIsNoReasonNotToMakeRoomForOthers) {
  auto partitions = Even(1, 10);
  partitions[0].slices[0].single_key = true;
  const auto action = PlanSplit(partitions[0], SplitReason::kThroughput);
  ASSERT_TRUE(action.has_value());
  EXPECT_EQ(action->cut.size(), 1u);
  EXPECT_FALSE(PlanSplit(partitions[0], SplitReason::kCommand).has_value());
}

TEST(SplitPlanner, BusyPartitionsAreLeftAlone) {
  auto partitions = Even(1, 2'000);
  partitions[0].busy = true;
  const auto plan = PlanSplits(partitions, std::array{Manual(50'000)}, kSmall);
  EXPECT_THAT(plan.splits, IsEmpty());
  EXPECT_THAT(plan.stuck, IsEmpty());
  EXPECT_EQ(PlanSplit(partitions[0], SplitReason::kCommand).error().code(),
            Code::kPreconditionFailed);
}

TEST(SplitPlanner, RaisedThroughputSplitsTheWidestFirst) {
  // 50 %, 25 %, 25 %: the half goes first, then the lower id.
  const auto quarters = DivideEvenly(HashRange(), 4);
  const auto halves = DivideEvenly(HashRange(), 2);
  const std::vector<PartitionFacts> partitions = {
      {.id = PartitionId(5), .owner = kOwner, .slices = {SliceOf(kOnlyContainer, quarters[1], 1)}},
      {.id = PartitionId(4), .owner = kOwner, .slices = {SliceOf(kOnlyContainer, quarters[0], 1)}},
      {.id = PartitionId(6), .owner = kOwner, .slices = {SliceOf(kOnlyContainer, halves[1], 1)}},
  };
  EXPECT_THAT(SplitIds(PlanSplits(partitions, std::array{Manual(40'000)}, kSmall)), ElementsAre(6));
  EXPECT_THAT(SplitIds(PlanSplits(partitions, std::array{Manual(50'000)}, kSmall)),
              ElementsAre(6, 4));
  // More than double takes several rounds.
  EXPECT_EQ(PlanSplits(partitions, std::array{Manual(100'000)}, kSmall).splits.size(), 3u);
}

TEST(SplitPlanner, StorageSplitsCountTowardsThroughput) {
  auto partitions = Even(2, 10);
  partitions[1].slices[0].bytes = 1'500;
  const auto plan = PlanSplits(partitions, std::array{Manual(30'000)}, kSmall);
  EXPECT_THAT(SplitIds(plan), ElementsAre(2));
}

TEST(SplitPlanner, RoundsReachTheCountWithAnEvenHashSpace) {
  auto partitions = Even(1, 10);
  uint64_t next_id = 2;
  for (int round = 0; round < 4; ++round) {
    const auto plan = PlanSplits(partitions, std::array{Manual(80'000)}, kSmall);
    for (const SplitAction& action : plan.splits) {
      const auto parent = std::ranges::find(partitions, action.partition, &PartitionFacts::id);
      const HashRange range = parent->slices[0].slice.range;
      const auto [lower, upper] = range.CutAt(*EvenCut(range, HashRange()));
      partitions.erase(parent);
      for (const HashRange& half : {lower, upper}) {
        partitions.push_back({.id = PartitionId(next_id++),
                              .owner = kOwner,
                              .slices = {SliceOf(kOnlyContainer, half, 5)}});
      }
    }
  }
  ASSERT_EQ(partitions.size(), 8u);
  for (const auto& partition : partitions) {
    EXPECT_EQ(partition.slices[0].slice.range.RingFraction(), 1.0 / 8);
  }
}

TEST(SplitPlanner, ManySlicesAreDealtOutByBytes) {
  PartitionFacts shared{.id = PartitionId(1)};
  uint64_t total = 0;
  std::map<Slice, uint64_t> bytes;
  for (uint32_t i = 1; i <= 20; ++i) {
    const SliceFacts facts = SliceOf(ContainerId(i), HashRange(), 10 * i);
    shared.slices.push_back(facts);
    bytes[facts.slice] = facts.bytes;
    total += facts.bytes;
  }
  const auto action = PlanSplit(shared, SplitReason::kStorage).value();
  EXPECT_TRUE(action.cut.empty());
  EXPECT_EQ(action.first.size() + action.second.size(), 20u);
  uint64_t first = 0;
  for (const Slice& slice : action.first) first += bytes[slice];
  EXPECT_NEAR(first, total / 2, total / 20);
}

TEST(SplitPlanner, EmptySlicesGoToBothSides) {
  PartitionFacts shared{.id = PartitionId(1)};
  for (uint32_t i = 1; i <= 4; ++i) {
    shared.slices.push_back(SliceOf(ContainerId(i), HashRange(), 0));
  }
  const auto action = PlanSplit(shared, SplitReason::kCommand).value();
  EXPECT_EQ(action.first.size(), 2u);
  EXPECT_EQ(action.second.size(), 2u);
}

TEST(SplitPlanner, DominantSliceIsCut) {
  PartitionFacts shared{.id = PartitionId(1)};
  shared.slices.push_back(SliceOf(ContainerId(1), HashRange(), 10));
  shared.slices.push_back(SliceOf(ContainerId(2), HashRange(), 900));
  auto action = PlanSplit(shared, SplitReason::kStorage).value();
  EXPECT_EQ(action.cut, (std::vector{Slice{ContainerId(2), HashRange()}}));
  EXPECT_EQ(action.first.size() + action.second.size(), 1u);
  // One key cannot be cut, so the small one moves out.
  shared.slices[1].single_key = true;
  action = PlanSplit(shared, SplitReason::kStorage).value();
  EXPECT_TRUE(action.cut.empty());
  EXPECT_EQ(action.first.size(), 1u);
  EXPECT_EQ(action.second.size(), 1u);
}

TEST(SplitPlanner, MergesNeighboursWhileThroughputAllows) {
  const auto partitions = Even(4, 100);
  const auto merges = PlanMerges(partitions, std::array{Manual(400)}, kSmall);
  ASSERT_EQ(merges.size(), 2u);
  EXPECT_EQ(merges[0].first, PartitionId(1));
  EXPECT_EQ(merges[0].second, PartitionId(2));
  EXPECT_EQ(merges[1].first, PartitionId(3));
  EXPECT_EQ(merges[1].second, PartitionId(4));
  // Four carry 40,000 RU/s: none to spare. At 11,000 each is slow enough and two can go.
  EXPECT_THAT(PlanMerges(partitions, std::array{Manual(40'000)}, kSmall), IsEmpty());
  EXPECT_EQ(PlanMerges(partitions, std::array{Manual(11'000)}, kSmall).size(), 2u);
  EXPECT_THAT(PlanMerges(partitions, std::array{Manual(13'000)}, kSmall), IsEmpty());
}

TEST(SplitPlanner, DoesNotMergeLargeBusyOrDistantOnes) {
  EXPECT_THAT(PlanMerges(Even(2, 301), std::array{Manual(400)}, kSmall), IsEmpty());
  auto busy = Even(2, 1);
  busy[1].busy = true;
  EXPECT_THAT(PlanMerges(busy, std::array{Manual(400)}, kSmall), IsEmpty());
  auto distant = Even(3, 1);
  distant.erase(distant.begin() + 1);
  EXPECT_THAT(PlanMerges(distant, std::array{Manual(400)}, kSmall), IsEmpty());
}

TEST(ChooseCut, HalvesTheBytes) {
  const std::vector<KeySample> samples = {
      {{1, 0}, 100}, {{2, 0}, 200}, {{3, 0}, 700}, {{4, 0}, 800}, {{5, 0}, 1'000}};
  // Below 3: 200 of 1,000; below 4: 700.
  EXPECT_EQ(ChooseCut(HashRange(), samples), (Hash128{4, 0}));
  // Only what lies in the range counts: 1, 2 and 3 hold 700, of which 3 has 500.
  EXPECT_EQ(ChooseCut(*HashRange::HalfOpen({1, 0}, Hash128{4, 0}), samples), (Hash128{3, 0}));
}

TEST(ChooseCut, NeverLeavesASideEmpty) {
  const std::vector<KeySample> lopsided = {{{1, 0}, 1'000}, {{2, 0}, 1'001}};
  EXPECT_EQ(ChooseCut(HashRange(), lopsided), (Hash128{2, 0}));
  const std::vector<KeySample> other = {{{1, 0}, 1}, {{2, 0}, 1'001}};
  EXPECT_EQ(ChooseCut(HashRange(), other), (Hash128{2, 0}));
}

TEST(ChooseCut, OneKeyHasNoCut) {
  EXPECT_EQ(ChooseCut(HashRange(), {}), std::nullopt);
  const std::vector<KeySample> one = {{{7, 0}, 10}, {{7, 0}, 20}, {{7, 0}, 30}};
  EXPECT_EQ(ChooseCut(HashRange(), one), std::nullopt);
  const std::vector<KeySample> two = {{{7, 0}, 10}, {{9, 0}, 20}};
  EXPECT_EQ(ChooseCut(*HashRange::HalfOpen({8, 0}, std::nullopt), two), std::nullopt);
}

TEST(ChooseCut, IsTheBestOfAllCuts) {
  constexpr uint64_t kSeed = 1'618;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 500; ++round) {
    std::vector<KeySample> samples;
    uint64_t bytes = 0;
    uint64_t hash = 0;
    for (uint64_t i = 0; i < 2 + random() % 20; ++i) {
      hash += random() % 3;
      bytes += 1 + random() % 100;
      samples.push_back({{hash, 0}, bytes});
    }
    const auto imbalance = [&](Hash128 cut) {
      uint64_t lower = 0;
      for (const KeySample& sample : samples) {
        if (sample.hash < cut) lower = sample.bytes_through;
      }
      return std::max(lower, bytes - lower);
    };
    const auto cut = ChooseCut(HashRange(), samples);
    ASSERT_EQ(cut.has_value(), samples.front().hash != samples.back().hash) << "seed " << kSeed;
    if (!cut.has_value()) continue;
    for (const KeySample& sample : samples) {
      if (sample.hash == samples.front().hash) continue;
      ASSERT_LE(imbalance(*cut), imbalance(sample.hash)) << "seed " << kSeed;
    }
  }
}

}  // namespace
}  // namespace orrery::partition
