#include "item/row/size_sample.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

TEST(SizeSample, OfASmallContainerIsEveryChange) {
  const uint64_t grain = SampleGrain(/*container_bytes=*/100 << 10, /*bytes_max=*/20ULL << 30);
  const Totals change{1'000, 1};
  for (uint64_t lsn = 1; lsn < 100; ++lsn) EXPECT_EQ(SampleOf(change, grain, Lsn(lsn)), change);
}

TEST(SizeSample, IsNeverCoarseBesideTheLimit) {
  EXPECT_EQ(SampleGrain(1ULL << 40, 1 << 20), 1'024u);
  EXPECT_EQ(SampleGrain(1ULL << 40, 0), kSampleGrainMax);
}

TEST(SizeSample, IsRightOnAverage) {
  const uint64_t grain = SampleGrain(1ULL << 30, 20ULL << 30);
  const Totals change{1'000, 2};
  constexpr int kChanges = 200'000;
  Totals sum;
  int taken = 0;
  for (uint64_t lsn = 1; lsn <= kChanges; ++lsn) {
    const Totals sample = SampleOf(change, grain, Lsn(lsn));
    if (sample != Totals{}) ++taken;
    sum += sample;
  }
  EXPECT_LT(taken, kChanges / 50);
  EXPECT_NEAR(static_cast<double>(sum.bytes), 1'000.0 * kChanges, 1'000.0 * kChanges * 0.05);
  EXPECT_NEAR(static_cast<double>(sum.items), 2.0 * kChanges, 2.0 * kChanges * 0.05);
}

TEST(SizeSample, LeavesLargeChangesAndReductionsAlone) {
  const uint64_t grain = kSampleGrainMax;
  const Totals large{1 << 20, 3};
  EXPECT_EQ(SampleOf(large, grain, Lsn(1)), large);
  const Totals less{-10, -1};
  EXPECT_EQ(SampleOf(less, grain, Lsn(1)), less);
}

}  // namespace
}  // namespace orrery::item
