#include "item/row/size_counts.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

constexpr uint64_t kMax = 6'400;
constexpr Micros kStart{std::chrono::hours(1)};

CountedKey Key(int number) { return {ContainerId(1), Hash128{0, 0}, std::to_string(number)}; }

TEST(SizeCounts, LetsInUntilACountSaysThatItIsFull) {
  SizeCounts counts;
  EXPECT_FALSE(counts.AnyDue());
  EXPECT_FALSE(counts.Refuses(Key(1), kMax + 1, kMax, kStart));
  EXPECT_TRUE(counts.AnyDue());
  EXPECT_EQ(counts.TakeDue(), std::vector{Key(1)});
  EXPECT_FALSE(counts.Refuses(Key(1), kMax + 2, kMax, kStart)) << "the count is under way";
  EXPECT_FALSE(counts.AnyDue());
  counts.Counted(Key(1), kMax + 2, kStart);
  EXPECT_TRUE(counts.Refuses(Key(1), kMax + 3, kMax, kStart));
  EXPECT_FALSE(counts.AnyDue());
}

TEST(SizeCounts, CountsAgainForThoseWhoAreRefused) {
  SizeCounts counts;
  counts.Counted(Key(1), kMax + 1, kStart);
  EXPECT_TRUE(counts.Refuses(Key(1), kMax + 2, kMax, kStart + SizeCounts::kCountAgain));
  EXPECT_EQ(counts.TakeDue().size(), 1u);
  EXPECT_TRUE(counts.Refuses(Key(1), kMax + 2, kMax, kStart + SizeCounts::kCountAgain));
  EXPECT_FALSE(counts.Refuses(Key(1), kMax + 2, kMax, kStart + SizeCounts::kCountHolds))
      << "nobody has counted for long";
  counts.GaveUp(Key(1));
  EXPECT_TRUE(counts.AnyDue());
}

TEST(SizeCounts, RoomThatWasFoundIsUsed) {
  SizeCounts counts;
  counts.Counted(Key(1), kMax / 2, kStart);
  EXPECT_FALSE(counts.Refuses(Key(1), kMax + 1, kMax, kStart));
  EXPECT_TRUE(counts.AnyDue());
  // Just below the limit: not a count for every write.
  counts.Counted(Key(2), kMax - 1, kStart);
  EXPECT_TRUE(counts.Refuses(Key(2), kMax + 1, kMax, kStart));
  EXPECT_FALSE(counts.Refuses(Key(2), kMax + kMax / SizeCounts::kGrowthDivisor, kMax, kStart));
}

TEST(SizeCounts, KeepsSoManyKeys) {
  SizeCounts counts;
  for (int i = 0; i < static_cast<int>(SizeCounts::kKeysMax); ++i) {
    EXPECT_FALSE(counts.Refuses(Key(i), kMax + 1, kMax, kStart));
  }
  EXPECT_TRUE(counts.Refuses(Key(-1), kMax + 1, kMax, kStart)) << "all others wait for a count";
  for (const CountedKey& key : counts.TakeDue()) counts.Counted(key, 0, kStart);
  EXPECT_FALSE(counts.Refuses(Key(-1), kMax + 1, kMax, kStart));
}

}  // namespace
}  // namespace orrery::item
