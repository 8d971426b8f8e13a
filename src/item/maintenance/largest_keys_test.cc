#include "item/maintenance/largest_keys.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

LargeKey Key(uint64_t number, uint64_t bytes) {
  return {ContainerId(1), Hash128{number, 0}, "pk" + std::to_string(number), bytes};
}

TEST(LargestKeysTest, KeepsTheLargest) {
  LargestKeys keys;
  for (uint64_t i = 1; i <= kLargestKeysMax * 3; ++i) keys.Note(Key(i, i * 10));
  const auto top = keys.Top(3);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].bytes, kLargestKeysMax * 30);
  EXPECT_EQ(top[1].bytes, kLargestKeysMax * 30 - 10);
  EXPECT_EQ(keys.Top(1'000).size(), kLargestKeysMax);
}

TEST(LargestKeysTest, FollowsAKeyThatShrinks) {
  LargestKeys keys;
  keys.Note(Key(1, 100));
  keys.Note(Key(2, 50));
  keys.Note(Key(1, 20));
  EXPECT_EQ(keys.Top(1)[0].hash, (Hash128{2, 0}));
  keys.Note(Key(2, 0));
  ASSERT_EQ(keys.Top(9).size(), 1u);
  EXPECT_EQ(keys.Top(9)[0].bytes, 20u);
}

TEST(LargestKeysTest, HasAFloorOnceFull) {
  LargestKeys keys;
  EXPECT_EQ(keys.floor(), 0u);
  for (uint64_t i = 0; i < kLargestKeysMax; ++i) keys.Note(Key(i, 100 + i));
  EXPECT_EQ(keys.floor(), 100u);
  keys.Note(Key(1'000, 100));
  EXPECT_EQ(keys.Top(kLargestKeysMax).back().hash, Key(0, 0).hash);
}

}  // namespace
}  // namespace orrery::item
