#include "cluster/maintenance/opening_attempts.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

constexpr PartitionId kPartition(7);
constexpr Micros kStart{std::chrono::hours(1)};

TEST(OpeningAttemptsTest, DamageIsTriedAgainAfterPausesThatGrow) {
  OpeningAttempts attempts;
  EXPECT_TRUE(attempts.Due(kPartition, kStart));
  const Error damage(Code::kCorruption, "the entry 'CURRENT' is damaged");
  EXPECT_TRUE(attempts.Failed(kPartition, damage, kStart));
  EXPECT_FALSE(attempts.Due(kPartition, kStart));
  EXPECT_TRUE(attempts.Due(kPartition, kStart + RetrySchedule::kPauseFirst));
  EXPECT_TRUE(attempts.Failed(kPartition, damage, kStart + RetrySchedule::kPauseFirst));
  EXPECT_FALSE(attempts.Due(kPartition, kStart + 2 * RetrySchedule::kPauseFirst));
}

TEST(OpeningAttemptsTest, WhatPassesIsTriedInEveryRound) {
  OpeningAttempts attempts;
  EXPECT_FALSE(attempts.Failed(kPartition, Error(Code::kUnavailable, "no answer"), kStart));
  EXPECT_FALSE(attempts.Failed(kPartition, Error(Code::kFenced, "another has it"), kStart));
  EXPECT_TRUE(attempts.Due(kPartition, kStart));
}

TEST(OpeningAttemptsTest, FilesAreMissingWhenTheyWereMissedTwice) {
  OpeningAttempts attempts;
  const Error missing(Code::kNotFound, "there is no such directory");
  EXPECT_FALSE(attempts.Failed(kPartition, missing, kStart));
  EXPECT_TRUE(attempts.Failed(kPartition, missing, kStart + RetrySchedule::kPauseFirst));
  attempts.Opened(kPartition);
  EXPECT_FALSE(attempts.Failed(kPartition, missing, kStart + RetrySchedule::kPauseMax));
}

}  // namespace
}  // namespace orrery::cluster
