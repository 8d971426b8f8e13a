#include "net/arrival_deadline.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Time = ArrivalDeadline::Time;

class ArrivalDeadlineTest : public ::testing::Test {
 protected:
  // Returns whether a message of `total` bytes arrives in time, `bytes` at each `interval`.
  static bool Arrives(size_t total, size_t bytes, milliseconds interval) {
    ArrivalDeadline deadline({.grace = seconds(30), .bytes_per_second_min = 1000});
    Time now;
    deadline.Start(now);
    for (size_t arrived = 1; arrived < total; arrived += bytes) {
      now += interval;
      if (now >= deadline.deadline()) return false;
      deadline.Earn(now, bytes);
    }
    return true;
  }
};

TEST_F(ArrivalDeadlineTest, WhoKeepsUpTheRateHasAllTheTimeItNeeds) {
  EXPECT_TRUE(Arrives(10'000'000, 1'000, seconds(1)));
  EXPECT_TRUE(Arrives(10'000'000, 20'000, seconds(20)));
  EXPECT_TRUE(Arrives(100, 10, seconds(3))) << "small messages have the grace";
}

TEST_F(ArrivalDeadlineTest, WhoIsSlowerIsNotWaitedFor) {
  EXPECT_FALSE(Arrives(10'000'000, 900, seconds(1)));
  EXPECT_FALSE(Arrives(1'000, 1, seconds(1)));
  EXPECT_FALSE(Arrives(10'000'000, 1'000'000, seconds(31))) << "no pause is longer than the grace";
}

TEST_F(ArrivalDeadlineTest, BytesThatCameFastDoNotBuyALongStall) {
  ArrivalDeadline deadline({.grace = seconds(30), .bytes_per_second_min = 1000});
  EXPECT_FALSE(deadline.running());
  const Time start;
  deadline.Start(start);
  deadline.Earn(start + seconds(1), size_t{15} << 20);
  EXPECT_EQ(deadline.deadline(), start + seconds(31));
  deadline.Earn(start + seconds(30), 1);
  EXPECT_EQ(deadline.deadline(), start + seconds(31) + milliseconds(1));
  deadline.Stop();
  EXPECT_FALSE(deadline.running());
}

}  // namespace
}  // namespace orrery::net
