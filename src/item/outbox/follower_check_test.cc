#include "item/outbox/follower_check.h"

#include <gtest/gtest.h>

#include "item/outbox/follower_testing.h"

namespace orrery::item {
namespace {

Code CodeOf(const Status& status) {
  return status.has_value() ? Code::kInternal : status.error().code();
}
Code Check(const Follower& follower, const FollowerLimits& limits = {}) {
  return CodeOf(FollowerCheck(limits).Add({&follower, 1}));
}
constexpr Code kTaken = Code::kInternal;

TEST(FollowerCheckTest, TakesWhatCanBeDelivered) {
  EXPECT_EQ(Check(FollowerOf(1, "k", "c", RowOf(1, "v"))), kTaken);
  EXPECT_EQ(Check({ContainerId(1), "k", {}}), kTaken) << "that changes nothing";
}

TEST(FollowerCheckTest, RefusesCounters) {
  EXPECT_EQ(Check(FollowerOf(1, "k", "c", RowOf(1, "12345678", model::CellKind::kCounter))),
            Code::kInvalidArgument);
}

TEST(FollowerCheckTest, RefusesKeysThatLeadNowhere) {
  EXPECT_EQ(Check(FollowerOf(1, "", "c", RowOf(1, "v"))), Code::kInvalidArgument);
  const FollowerLimits limits{.partition_key_bytes_max = 3};
  EXPECT_EQ(Check(FollowerOf(1, "abc", "c", RowOf(1, "v")), limits), kTaken);
  EXPECT_EQ(Check(FollowerOf(1, "abcd", "c", RowOf(1, "v")), limits), Code::kTooLarge);
}

TEST(FollowerCheckTest, RefusesFollowersOfFollowers) {
  Follower follower = FollowerOf(1, "k", "c", RowOf(1, "v"));
  follower.changes.followers.push_back(FollowerOf(1, "k", "c", RowOf(1, "v")));
  EXPECT_EQ(Check(follower), Code::kInvalidArgument);
}

TEST(FollowerCheckTest, RefusesBytesThatAreNoRow) {
  EXPECT_EQ(Check(FollowerOf(1, "k", "c", "no row")), Code::kCorruption);
}

TEST(FollowerCheckTest, RowsHaveALimit) {
  const std::string row = RowOf(1, "value");
  EXPECT_EQ(Check(FollowerOf(1, "k", "c", row), {.row_bytes_max = row.size()}), kTaken);
  EXPECT_EQ(Check(FollowerOf(1, "k", "c", row), {.row_bytes_max = row.size() - 1}),
            Code::kTooLarge);
}

TEST(FollowerCheckTest, AllTogetherHaveLimits) {
  FollowerCheck count({});
  const std::vector<Follower> half(kFollowersMax / 2, FollowerOf(1, "k", "c", RowOf(1, "")));
  EXPECT_TRUE(count.Add(half).has_value());
  EXPECT_TRUE(count.Add(half).has_value());
  EXPECT_EQ(CodeOf(count.Add({half.data(), 1})), Code::kTooLarge);

  FollowerCheck bytes({});
  const Follower large = FollowerOf(1, "k", "c", RowOf(1, std::string(kFollowerBytesMax / 2, 'x')));
  EXPECT_TRUE(bytes.Add({&large, 1}).has_value());
  EXPECT_GT(bytes.bytes(), kFollowerBytesMax / 2);
  EXPECT_EQ(CodeOf(bytes.Add({&large, 1})), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::item
