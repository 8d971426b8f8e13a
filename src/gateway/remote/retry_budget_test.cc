#include "gateway/remote/retry_budget.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

using std::chrono::milliseconds;

TEST(RetryBudget, PausesGrowAndEndWithTheTime) {
  ManualClock clock;
  RetryBudget budget(clock);
  const Micros begin = clock.Monotonic();
  milliseconds last{0};
  while (const auto pause = budget.NextPause()) {
    EXPECT_GE(*pause, last);
    EXPECT_LE(*pause, RetryBudget::kPauseMax);
    last = *pause;
    clock.Advance(*pause);
  }
  EXPECT_EQ(last, RetryBudget::kPauseMax);
  EXPECT_LE(clock.Monotonic() - begin, RetryBudget::kTimeMax);
  EXPECT_GT(clock.Monotonic() - begin, RetryBudget::kTimeMax - 2 * RetryBudget::kPauseMax);
}

TEST(RetryBudget, CallsThatTakeLongCount) {
  ManualClock clock;
  RetryBudget budget(clock);
  EXPECT_TRUE(budget.NextPause().has_value());
  clock.Advance(RetryBudget::kTimeMax);
  EXPECT_FALSE(budget.NextPause().has_value());
}

TEST(RetryBudget, EndsOnAClockThatStandsStill) {
  ManualClock clock;
  RetryBudget budget(clock);
  int retries = 0;
  while (budget.NextPause().has_value()) ++retries;
  EXPECT_EQ(retries, RetryBudget::kRetriesMax);
}

}  // namespace
}  // namespace orrery::gateway
