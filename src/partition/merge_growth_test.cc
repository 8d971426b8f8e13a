#include "partition/merge_growth.h"

#include <gtest/gtest.h>

namespace orrery::partition {
namespace {

constexpr size_t kHash = (size_t{7} << 32) + 3;

TEST(MergeGrowthTest, LooksAtLargeChangesAndAtManySmallOnes) {
  MergeGrowth growth;
  EXPECT_TRUE(growth.Add(kHash, MergeGrowth::kLargeChange));
  constexpr size_t kLittleChange = 1'024;
  for (size_t i = 1; i < MergeGrowth::kLookAfter / kLittleChange; ++i)
    ASSERT_FALSE(growth.Add(kHash, kLittleChange)) << i;
  EXPECT_TRUE(growth.Add(kHash, kLittleChange));
  EXPECT_FALSE(growth.Add(kHash, kLittleChange));
}

TEST(MergeGrowthTest, AFullKeyIsLookedAtEachTime) {
  MergeGrowth growth;
  growth.Full(kHash);
  EXPECT_TRUE(growth.Add(kHash, 1));
  growth.Full(kHash);
  EXPECT_TRUE(growth.Add(kHash, 1));
  EXPECT_FALSE(growth.Add(kHash, 1));
}

TEST(MergeGrowthTest, AKeyThatComesOftenStays) {
  MergeGrowth growth;
  const size_t other = kHash + (size_t{1} << 32);
  ASSERT_FALSE(growth.Add(kHash, MergeGrowth::kLookAfter / 32));
  ASSERT_FALSE(growth.Add(other, 16));
  size_t looks = 0;
  for (int i = 0; i < 64; ++i) looks += growth.Add(kHash, MergeGrowth::kLookAfter / 32) ? 1 : 0;
  EXPECT_GE(looks, 1u);
}

}  // namespace
}  // namespace orrery::partition
