#include "gateway/position/session_token.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

TEST(SessionToken, RoundTrip) {
  std::string token;
  AppendSessionPosition(token, {PartitionId(0), Lsn(12)});
  EXPECT_EQ(token, "0:-1#12");
  AppendSessionPosition(token, {PartitionId(7), Lsn(900)});
  EXPECT_EQ(token, "0:-1#12,7:-1#900");
  const auto positions = ParseSessionToken(token);
  ASSERT_TRUE(positions.has_value());
  EXPECT_EQ(*positions,
            (std::vector<SessionPosition>{{PartitionId(0), Lsn(12)}, {PartitionId(7), Lsn(900)}}));
}

TEST(SessionToken, EmptyNamesNothing) { EXPECT_TRUE(ParseSessionToken("")->empty()); }

TEST(SessionToken, TheFormWithoutVersions) {
  const auto positions = ParseSessionToken("3:44,9:7");
  ASSERT_TRUE(positions.has_value());
  EXPECT_EQ(*positions,
            (std::vector<SessionPosition>{{PartitionId(3), Lsn(44)}, {PartitionId(9), Lsn(7)}}));
  EXPECT_EQ(WithoutVersions("3:-1#44,9:-1#7"), "3:44,9:7");
  EXPECT_EQ(WithoutVersions(""), "");
}

TEST(SessionToken, FirstPosition) {
  EXPECT_EQ(FirstPosition("3:-1#44,9:-1#7"), "3:-1#44");
  EXPECT_EQ(FirstPosition("3:-1#44"), "3:-1#44");
  EXPECT_EQ(FirstPosition(""), "");
}

TEST(SessionToken, TakesOtherVersionsAndRegions) {
  const auto positions = ParseSessionToken("3:2#44#1=12#4=7");
  ASSERT_TRUE(positions.has_value());
  EXPECT_EQ(positions->at(0), (SessionPosition{PartitionId(3), Lsn(44)}));
}

TEST(SessionToken, RefusesOthers) {
  for (const char* text : {"x", "0", "0:", "0:-1", "0:-1#", ":-1#3", "0:-1#3,", "0:-1#3,,1:-1#4",
                           "-1:-1#3", "0:-1#-3", "0:-1#99999999999999999999", " 0:-1#3", "0:a#3"}) {
    const auto positions = ParseSessionToken(text);
    ASSERT_FALSE(positions.has_value()) << text;
    EXPECT_EQ(positions.error().code(), Code::kInvalidArgument);
  }
}

TEST(SessionToken, NamesAtMostSoManyPartitions) {
  std::string token;
  for (size_t i = 0; i <= kSessionPositionsMax; ++i)
    AppendSessionPosition(token, {PartitionId(i), Lsn(1)});
  EXPECT_FALSE(ParseSessionToken(token).has_value());
}

TEST(SessionToken, AncestorsCount) {
  const std::vector<SessionPosition> positions = {
      {PartitionId(1), Lsn(10)}, {PartitionId(2), Lsn(50)}, {PartitionId(5), Lsn(20)}};
  const std::vector<PartitionId> ancestors = {PartitionId(1)};
  EXPECT_EQ(RequiredPosition(positions, PartitionId(5), ancestors), Lsn(20));
  EXPECT_EQ(RequiredPosition(positions, PartitionId(6), ancestors), Lsn(10));
  EXPECT_EQ(RequiredPosition(positions, PartitionId(9), {}), Lsn(0));
}

}  // namespace
}  // namespace orrery::gateway
