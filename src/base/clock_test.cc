#include "base/clock.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ClockTest, ManualClockMovesOnlyWhenTold) {
  ManualClock clock(std::chrono::seconds(10));
  EXPECT_EQ(clock.Now(), std::chrono::seconds(10));
  EXPECT_EQ(clock.Monotonic(), clock.Now());
  clock.Advance(std::chrono::milliseconds(1500));
  EXPECT_EQ(clock.Now(), std::chrono::milliseconds(11500));
  EXPECT_EQ(clock.Monotonic(), std::chrono::milliseconds(11500));
}

TEST(ClockTest, SystemClockDoesNotGoBack) {
  const SystemClock clock;
  const Micros first = clock.Monotonic();
  EXPECT_LE(first, clock.Monotonic());
  // Any date after this test was written will do: the origin is the Unix epoch.
  EXPECT_GT(clock.Now(), std::chrono::seconds(1'700'000'000));
}

}  // namespace
}  // namespace orrery
