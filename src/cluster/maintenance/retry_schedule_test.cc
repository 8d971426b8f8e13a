#include "cluster/maintenance/retry_schedule.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using std::chrono::seconds;

constexpr PartitionId kId(7);

TEST(RetryScheduleTest, ThePausesDoubleUpToTheirMaximum) {
  RetrySchedule schedule;
  Micros now{seconds(1'000)};
  EXPECT_TRUE(schedule.Due(kId, now));
  for (const int pause : {1, 2, 4, 8, 16, 32, 60, 60}) {
    schedule.Tried(kId, now);
    EXPECT_FALSE(schedule.Due(kId, now + seconds(pause) - Micros(1)));
    now += seconds(pause);
    EXPECT_TRUE(schedule.Due(kId, now));
  }
}

TEST(RetryScheduleTest, WhereThereIsNoRoomThePauseStaysShort) {
  RetrySchedule schedule;
  Micros now{seconds(1'000)};
  for (int i = 0; i < 10; ++i) {
    schedule.Tried(kId, now);
    schedule.StillFull(kId);
    EXPECT_FALSE(schedule.Due(kId, now));
    now += RetrySchedule::kPauseFirst;
    EXPECT_TRUE(schedule.Due(kId, now));
  }
}

TEST(RetryScheduleTest, OneThatFailsAgainUnderItsNewNameWaitsOn) {
  RetrySchedule schedule;
  const Micros now{seconds(1'000)};
  schedule.Tried(kId, now);
  schedule.Became(kId, PartitionId(8));
  EXPECT_TRUE(schedule.Due(kId, now));
  EXPECT_FALSE(schedule.Due(PartitionId(8), now));
  schedule.Tried(PartitionId(8), now + seconds(1));
  EXPECT_FALSE(schedule.Due(PartitionId(8), now + seconds(2)));
}

TEST(RetryScheduleTest, WhatStayedSoundIsForgotten) {
  RetrySchedule schedule;
  schedule.Tried(kId, Micros(0));
  schedule.Forget(RetrySchedule::kForgottenAfter - Micros(1));
  EXPECT_EQ(schedule.size(), 1U);
  schedule.Forget(RetrySchedule::kForgottenAfter);
  EXPECT_EQ(schedule.size(), 0U);
}

}  // namespace
}  // namespace orrery::cluster
