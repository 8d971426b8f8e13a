#include "net/rpc/redial_schedule.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

using std::chrono::milliseconds;

constexpr Micros kRedialStart = std::chrono::seconds(100);

TEST(RedialScheduleTest, WaitsLongerAfterEachFailureUpToALimit) {
  RedialSchedule schedule({.first = milliseconds(50), .longest = milliseconds(300)});
  EXPECT_LT(schedule.next(), kRedialStart);
  for (const int pause : {50, 100, 200, 300, 300}) {
    schedule.OnFailure(kRedialStart);
    EXPECT_EQ(schedule.next(), kRedialStart + milliseconds(pause));
  }
}

TEST(RedialScheduleTest, StartsAnewAfterAConnectionAndAMove) {
  RedialSchedule schedule({.first = milliseconds(50), .longest = milliseconds(300)});
  for (int i = 0; i < 5; ++i) schedule.OnFailure(kRedialStart);
  schedule.OnLoss(kRedialStart);
  EXPECT_EQ(schedule.next(), kRedialStart + milliseconds(50));
  schedule.OnFailure(kRedialStart);
  EXPECT_EQ(schedule.next(), kRedialStart + milliseconds(50));
  schedule.Reset();
  EXPECT_LT(schedule.next(), kRedialStart);
}

}  // namespace
}  // namespace orrery::net
