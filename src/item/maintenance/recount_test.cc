#include "item/maintenance/recount.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using partition::HashRange;

class RecountTest : public testing::Test {
 protected:
  void Create(const std::string& pk, const std::string& id, size_t size = 10) {
    const auto outcome =
        harness_.Run(schema_, pk, Do(kCreate, id, R"({"s":")" + std::string(size, 'x') + R"("})"));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
};

TEST_F(RecountTest, ExactTotalsNeedNoCorrection) {
  for (int i = 0; i < 10; ++i) Create("p" + std::to_string(i % 3), std::to_string(i));
  const auto corrections = Recount(harness_.engine(), {{schema_->id, {HashRange()}}});
  ASSERT_TRUE(corrections.has_value());
  EXPECT_TRUE(corrections->empty());
}

TEST_F(RecountTest, AHalfNeedsTheOtherHalfTakenOff) {
  for (int i = 0; i < 20; ++i) Create("p" + std::to_string(i), "a");
  const Totals whole = harness_.ledger().Sum();
  const auto [low, high] = HashRange().CutAt(HashOfKey("p3"));
  Totals rest = whole;
  for (const HashRange& half : {low, high}) {
    const auto corrections = Recount(harness_.engine(), {{schema_->id, {half}}});
    ASSERT_TRUE(corrections.has_value());
    rest += corrections->at(schema_->id);
  }
  // Each half lacks exactly what the other half has.
  EXPECT_EQ(rest, Totals{});
}

TEST_F(RecountTest, AppliedCorrectionsMakeTheTotalsExact) {
  for (int i = 0; i < 20; ++i) Create("p" + std::to_string(i), "a");
  const auto [low, high] = HashRange().CutAt(HashOfKey("p3"));
  const SliceRanges slices{{schema_->id, {low}}};
  auto corrections = Recount(harness_.engine(), slices);
  ASSERT_TRUE(corrections.has_value());
  ASSERT_OK(harness_.Submit([&](auto done) {
    return Ledger::Correction(harness_.ledger(), *std::move(corrections), std::move(done));
  }));
  EXPECT_TRUE(Recount(harness_.engine(), slices)->empty());
  const auto report =
      CheckConsistency(harness_.engine(), {{schema_, low}}, {.now = harness_.now()});
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->ok()) << report->ToString();
}

TEST_F(RecountTest, ADroppedContainerHasNothingLeft) {
  Create("p", "a");
  const auto corrections = Recount(harness_.engine(), {});
  ASSERT_TRUE(corrections.has_value());
  EXPECT_EQ(corrections->at(schema_->id), -harness_.ledger().Sum());
}

TEST_F(RecountTest, SamplesAreInRingOrderAndEndWithEverything) {
  EXPECT_TRUE(SampleSizes(harness_.engine(), schema_->id, {}, 8)->empty());
  for (int i = 0; i < 50; ++i) Create("p" + std::to_string(i), "a", static_cast<size_t>(i) * 10);
  for (const size_t max_samples : {1u, 7u, 50u, 1'000u}) {
    const auto samples = SampleSizes(harness_.engine(), schema_->id, {}, max_samples);
    ASSERT_TRUE(samples.has_value());
    EXPECT_EQ(samples->size(), std::min<size_t>(max_samples, 50));
    EXPECT_EQ(samples->back().bytes_through, static_cast<uint64_t>(harness_.ledger().Sum().bytes));
    for (size_t i = 1; i < samples->size(); ++i) {
      EXPECT_LT((*samples)[i - 1].hash, (*samples)[i].hash);
      EXPECT_LT((*samples)[i - 1].bytes_through, (*samples)[i].bytes_through);
    }
  }
}

TEST_F(RecountTest, ManyLogicalPartitionsAreEstimated) {
  storage::Batch batch;
  std::string sizes;
  WriteTotals(sizes, {.bytes = 100, .items = 1});
  const std::string value(100, 'v');
  for (uint64_t i = 0; i <= kSizeEntriesWalkedMax; ++i) {
    const ItemKey key{Hash128{i << 47, 0}, Tuple("p" + std::to_string(i)), Tuple("r")};
    batch.Put(SizesKey(schema_->id, key.hash, key.partition_key), sizes);
    batch.Put(DataKey(schema_->id, key), value);
  }
  ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  ASSERT_OK(harness_.engine().Flush());
  const auto samples = SampleSizes(harness_.engine(), schema_->id, {}, 16);
  ASSERT_TRUE(samples.has_value());
  ASSERT_EQ(samples->size(), 16u);
  EXPECT_EQ(samples->back().hash, Hash128::Max());
  EXPECT_TRUE(std::ranges::is_sorted(*samples, {}, &partition::KeySample::bytes_through));
  // The keys fill the lower 38 % of the ring.
  EXPECT_GT((*samples)[8].bytes_through, samples->back().bytes_through * 9 / 10);
  EXPECT_LT((*samples)[1].bytes_through, samples->back().bytes_through / 2);
}

TEST_F(RecountTest, LogicalPartitionsAreCountedOrEstimated) {
  const HashRange all;
  EXPECT_EQ(EstimateLogicalPartitions(harness_.engine(), schema_->id, all), 0u);
  for (int i = 0; i < 100; ++i) Create("p" + std::to_string(i), "a");
  EXPECT_EQ(EstimateLogicalPartitions(harness_.engine(), schema_->id, all), 100u);

  storage::Batch batch;
  std::string value;
  WriteTotals(value, {10, 1});
  constexpr uint64_t kMany = 5 * kDensityEntriesMax;
  for (uint64_t i = 0; i < kMany; ++i) {
    const Hash128 hash{UINT64_MAX / kMany * i, 0};
    batch.Put(SizesKey(ContainerId(2), hash, Tuple("p")), value);
  }
  ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  const auto estimate = EstimateLogicalPartitions(harness_.engine(), ContainerId(2), all);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(static_cast<double>(*estimate), kMany, kMany / 100.0);
}

TEST_F(RecountTest, FindsTheFirstLogicalPartition) {
  EXPECT_FALSE(FirstLogicalPartition(harness_.engine(), schema_->id, {})->has_value());
  Create("p", "a");
  Create("q", "a");
  const Hash128 low = std::min(HashOfKey("p"), HashOfKey("q"));
  const Hash128 high = std::max(HashOfKey("p"), HashOfKey("q"));
  const auto first = [&](const HashRange& range) {
    return (*FirstLogicalPartition(harness_.engine(), schema_->id, range))->hash;
  };
  EXPECT_EQ(first({}), low);
  EXPECT_EQ(first(HashRange::Inclusive(high, Hash128::Max())), high);
}

TEST_F(RecountTest, FindsASoleLogicalPartition) {
  EXPECT_EQ(SoleLogicalPartition(harness_.engine(), schema_->id, {})->has_value(), false);
  Create("p", "a");
  Create("p", "b");
  const auto sole = SoleLogicalPartition(harness_.engine(), schema_->id, {});
  ASSERT_TRUE(sole.has_value() && sole->has_value());
  EXPECT_EQ((*sole)->partition_key, Tuple("p"));
  EXPECT_EQ((*sole)->hash, HashOfKey("p"));
  Create("q", "a");
  EXPECT_FALSE(SoleLogicalPartition(harness_.engine(), schema_->id, {})->has_value());
  EXPECT_TRUE(SoleLogicalPartition(harness_.engine(), schema_->id,
                                   HashRange::Inclusive(HashOfKey("q"), HashOfKey("q")))
                  ->has_value());
}

}  // namespace
}  // namespace orrery::item
