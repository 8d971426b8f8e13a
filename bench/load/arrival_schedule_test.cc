#include "load/arrival_schedule.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const LoadTime kBegin{seconds(100)};

ArrivalPlan PlanOf(double per_second) { return {kBegin, kBegin + seconds(2), per_second}; }

TEST(ArrivalScheduleTest, StartsAreEvenlySpaced) {
  ArrivalSchedule schedule(PlanOf(1'000));
  EXPECT_EQ(schedule.TakeDue(kBegin - milliseconds(1)), std::nullopt);
  EXPECT_EQ(schedule.TakeDue(kBegin), kBegin);
  EXPECT_EQ(schedule.TakeDue(kBegin), std::nullopt);
  EXPECT_EQ(schedule.NextStart(), kBegin + milliseconds(1));
  EXPECT_EQ(schedule.TakeDue(kBegin + milliseconds(1)), kBegin + milliseconds(1));
}

TEST(ArrivalScheduleTest, ALateOperationKeepsItsIntendedStart) {
  ArrivalSchedule schedule(PlanOf(1'000));
  const LoadTime late = kBegin + milliseconds(500);
  for (int i = 0; i <= 500; ++i) EXPECT_EQ(schedule.TakeDue(late), kBegin + milliseconds(i));
  EXPECT_EQ(schedule.TakeDue(late), std::nullopt);
}

TEST(ArrivalScheduleTest, NoStartDriftsOverManyIntervals) {
  ArrivalSchedule schedule({kBegin, kBegin + seconds(1'000), 3'000});
  while (schedule.TakeDue(kBegin + seconds(999))) {
  }
  EXPECT_EQ(schedule.taken(), 3'000u * 999 + 1);
}

TEST(ArrivalScheduleTest, EndsBeforeTheEnd) {
  ArrivalSchedule schedule(PlanOf(10));
  while (schedule.TakeDue(kBegin + seconds(60))) {
  }
  EXPECT_EQ(schedule.taken(), 20u);
  EXPECT_EQ(schedule.NextStart(), std::nullopt);
}

TEST(ArrivalScheduleTest, PhaseShiftsEveryStart) {
  ArrivalPlan plan = PlanOf(1'000);
  plan.phase = 0.5;
  EXPECT_EQ(ArrivalSchedule(plan).NextStart(), kBegin + microseconds(500));
}

TEST(ArrivalScheduleTest, SaturatingIsDueUntilTheEnd) {
  ArrivalSchedule schedule(PlanOf(0));
  EXPECT_EQ(schedule.TakeDue(kBegin - seconds(1)), std::nullopt);
  const LoadTime now = kBegin + seconds(1);
  EXPECT_EQ(schedule.TakeDue(now), now);
  EXPECT_EQ(schedule.TakeDue(now), now);
  EXPECT_EQ(schedule.TakeDue(kBegin + seconds(2)), std::nullopt);
}

TEST(ArrivalScheduleTest, CountIsALimit) {
  ArrivalPlan plan = PlanOf(0);
  plan.count_max = 2;
  ArrivalSchedule schedule(plan);
  EXPECT_TRUE(schedule.TakeDue(kBegin));
  EXPECT_TRUE(schedule.TakeDue(kBegin));
  EXPECT_FALSE(schedule.TakeDue(kBegin));
  EXPECT_EQ(schedule.NextStart(), std::nullopt);
}

}  // namespace
}  // namespace orrery::bench
