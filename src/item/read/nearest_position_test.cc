#include "item/read/nearest_position.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/bytes.h"
#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

TEST(NearestPositionTest, RanksOrderAsTheirBytes) {
  const std::vector<double> ranks = {-1e300, -2, -1.5, -1e-300, 0, 1e-300, 0.5, 1, 1e300};
  for (size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(*DecodeRank(EncodeRank(ranks[i])), ranks[i]);
    if (i > 0) EXPECT_LT(EncodeRank(ranks[i - 1]), EncodeRank(ranks[i]));
  }
  EXPECT_EQ(EncodeRank(-0.0), EncodeRank(0.0));
}

TEST(NearestPositionTest, RoundTrip) {
  const NearestPosition position{.rank = -0.25, .key = KeyOf("a", "1")};
  const auto decoded = DecodeNearestPosition(EncodeNearestPosition(position));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, position);
}

TEST(NearestPositionTest, ForeignBytes) {
  const std::string bytes = EncodeNearestPosition({.rank = 1, .key = KeyOf("a", "1")});
  for (const std::string& foreign :
       {std::string(), bytes.substr(0, 7), bytes.substr(0, 20), bytes.substr(0, 25),
        EncodeRank(INFINITY) + bytes.substr(8), EncodeRank(NAN) + bytes.substr(8)})
    EXPECT_EQ(DecodeNearestPosition(foreign).error().code(), Code::kInvalidArgument)
        << ToHex(foreign);
}

TEST(NearestPositionTest, EqualRanksInRingOrder) {
  const NearestPosition position{.rank = 1, .key = KeyOf("a", "1")};
  EXPECT_LT(Compare(0.5, KeyOf("a", "1"), position), 0);
  EXPECT_GT(Compare(1.5, KeyOf("a", "1"), position), 0);
  EXPECT_EQ(Compare(1, KeyOf("a", "1"), position), 0);
  EXPECT_LT(Compare(1, KeyOf("a", "0"), position), 0);
  EXPECT_GT(Compare(1, KeyOf("a", "2"), position), 0);
}

}  // namespace
}  // namespace orrery::item
