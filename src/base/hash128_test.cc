#include "base/hash128.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery {
namespace {

TEST(Hash128Test, OrdersAsOneUnsignedNumber) {
  const std::vector<Hash128> rising = {
      Hash128::Min(),         {0, 1},          {0, UINT64_MAX}, {1, 0},
      {uint64_t{1} << 63, 0}, {UINT64_MAX, 0}, Hash128::Max()};
  for (size_t i = 1; i < rising.size(); ++i) {
    EXPECT_LT(rising[i - 1], rising[i]);
    std::string before, after;
    rising[i - 1].AppendTo(before);
    rising[i].AppendTo(after);
    EXPECT_LT(before, after) << "byte order is not numeric order at " << i;
  }
}

TEST(Hash128Test, BytesRoundTrip) {
  const Hash128 hash{0x0123456789abcdef, 0xfedcba9876543210};
  std::string bytes;
  hash.AppendTo(bytes);
  ASSERT_EQ(bytes.size(), Hash128::kBytes);
  EXPECT_EQ(Hash128::Load(bytes.data()), hash);
  EXPECT_EQ(hash.ToString(), "0123456789ABCDEFFEDCBA9876543210");
}

TEST(Hash128Test, NextCarriesAndStopsAtTheEnd) {
  EXPECT_EQ((Hash128{4, 5}.Next()), (Hash128{4, 6}));
  EXPECT_EQ((Hash128{4, UINT64_MAX}.Next()), (Hash128{5, 0}));
  EXPECT_EQ(Hash128::Max().Next(), Hash128::Max());
}

}  // namespace
}  // namespace orrery
