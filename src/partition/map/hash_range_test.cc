#include "partition/map/hash_range.h"

#include <gtest/gtest.h>

namespace orrery::partition {
namespace {

constexpr HashRange kUsedByV2 =
    HashRange::Inclusive(Hash128::Min(), {0x3fffffffffffffff, UINT64_MAX});

HashRange LowRange(uint64_t begin, uint64_t end) {
  return *HashRange::HalfOpen({0, begin}, Hash128{0, end});
}

TEST(HashRange, WholeRingHasNoEnd) {
  const HashRange ring;
  EXPECT_TRUE(ring.reaches_top());
  EXPECT_FALSE(ring.end().has_value());
  EXPECT_TRUE(ring.Contains(Hash128::Min()));
  EXPECT_TRUE(ring.Contains(Hash128::Max()));
  EXPECT_EQ(ring.RingFraction(), 1.0);
  EXPECT_EQ(ring.Midpoint(), (Hash128{0x8000000000000000, 0}));
}

TEST(HashRange, HalfOpenBounds) {
  const HashRange range = LowRange(10, 20);
  EXPECT_TRUE(range.Contains(Hash128{0, 10}));
  EXPECT_TRUE(range.Contains(Hash128{0, 19}));
  EXPECT_FALSE(range.Contains(Hash128{0, 20}));
  EXPECT_EQ(range.end(), (Hash128{0, 20}));
  EXPECT_FALSE(HashRange::HalfOpen({0, 10}, Hash128{0, 10}).has_value());
  EXPECT_FALSE(HashRange::HalfOpen({0, 11}, Hash128{0, 10}).has_value());
  EXPECT_EQ(HashRange::HalfOpen({0, 11}, std::nullopt)->last(), Hash128::Max());
  // The last position below a multiple of 2^64.
  EXPECT_EQ(HashRange::HalfOpen({0, 0}, Hash128{1, 0})->last(), (Hash128{0, UINT64_MAX}));
}

TEST(HashRange, OverlapAndIntersect) {
  EXPECT_TRUE(LowRange(10, 20).Overlaps(LowRange(19, 30)));
  EXPECT_FALSE(LowRange(10, 20).Overlaps(LowRange(20, 30)));
  EXPECT_EQ(LowRange(10, 20).Intersect(LowRange(15, 30)), LowRange(15, 20));
  EXPECT_EQ(LowRange(10, 20).Intersect(LowRange(20, 30)), std::nullopt);
  EXPECT_TRUE(LowRange(10, 20).Precedes(LowRange(20, 30)));
  EXPECT_FALSE(LowRange(10, 20).Precedes(LowRange(21, 30)));
  EXPECT_FALSE(HashRange().Precedes(HashRange()));
  EXPECT_TRUE(LowRange(10, 20).Contains(LowRange(10, 20)));
  EXPECT_FALSE(LowRange(10, 20).Contains(LowRange(10, 21)));
}

TEST(HashRange, MidpointAndCut) {
  EXPECT_EQ(LowRange(10, 20).Midpoint(), (Hash128{0, 15}));
  EXPECT_EQ(LowRange(10, 12).Midpoint(), (Hash128{0, 11}));
  EXPECT_FALSE(LowRange(10, 11).divisible());
  const auto [lower, upper] = LowRange(10, 20).CutAt({0, 15});
  EXPECT_EQ(lower, LowRange(10, 15));
  EXPECT_EQ(upper, LowRange(15, 20));
  EXPECT_TRUE(lower.Precedes(upper));
}

TEST(HashRange, Printing) {
  EXPECT_EQ(LowRange(1, 2).ToString(),
            "[00000000000000000000000000000001, 00000000000000000000000000000002)");
  EXPECT_EQ(HashRange().ToString(), "[00000000000000000000000000000000, top)");
}

TEST(DivideEvenly, PublishedBoundaries) {
  EXPECT_EQ(DivideEvenly(kUsedByV2, 2)[1].begin(), (Hash128{0x2000000000000000, 0}));
  const auto three = DivideEvenly(kUsedByV2, 3);
  EXPECT_EQ(three[1].begin().ToString(), "15555555555555555555555555555555");
  EXPECT_EQ(three[2].begin().ToString(), "2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  const auto four = DivideEvenly(kUsedByV2, 4);
  EXPECT_EQ(four[1].begin().ToString(), "10000000000000000000000000000000");
  EXPECT_EQ(four[2].begin().ToString(), "20000000000000000000000000000000");
  EXPECT_EQ(four[3].begin().ToString(), "30000000000000000000000000000000");
}

TEST(DivideEvenly, CoversTheRingWithoutGapForAnyCount) {
  for (const HashRange& used : {HashRange(), kUsedByV2, LowRange(1'000, 9'000)}) {
    for (uint32_t count : {1u, 2u, 3u, 7u, 10u, 1'000u, 4'095u}) {
      const auto ranges = DivideEvenly(used, count);
      ASSERT_EQ(ranges.size(), count);
      EXPECT_EQ(ranges.front().begin(), Hash128::Min());
      EXPECT_TRUE(ranges.back().reaches_top());
      double smallest = 1;
      double largest = 0;
      for (size_t i = 0; i < ranges.size(); ++i) {
        if (i > 0) {
          ASSERT_TRUE(ranges[i - 1].Precedes(ranges[i]));
        }
        const double share = ranges[i].Intersect(used)->RingFraction() / used.RingFraction();
        smallest = std::min(smallest, share);
        largest = std::max(largest, share);
      }
      const double one_position = 0x1p-128 / used.RingFraction();
      EXPECT_LE(largest - smallest, one_position + 1e-15);
    }
  }
}

TEST(DivideEvenly, AsManyRangesAsPositions) {
  const auto ranges = DivideEvenly(LowRange(5, 8), 3);
  EXPECT_EQ(ranges[1], LowRange(6, 7));
  EXPECT_EQ(ranges[2].begin(), (Hash128{0, 7}));
}

}  // namespace
}  // namespace orrery::partition
