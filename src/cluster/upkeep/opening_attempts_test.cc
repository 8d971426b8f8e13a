#include "cluster/upkeep/opening_attempts.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

constexpr PartitionId kPartition(7);
constexpr Micros kStart{std::chrono::hours(1)};

TEST(OpeningAttemptsTest, DamageIsTriedAgainAfterPausesThatGrow) {
  OpeningAttempts attempts;
  EXPECT_TRUE(attempts.Due(kPartition, kStart));
  const Error damage(Code::kCorruption, "the entry 'CURRENT' is damaged");
  attempts.Failed(kPartition, damage, kStart);
  EXPECT_FALSE(attempts.Due(kPartition, kStart));
  EXPECT_TRUE(attempts.Due(kPartition, kStart + RetrySchedule::kPauseFirst));
  attempts.Failed(kPartition, damage, kStart + RetrySchedule::kPauseFirst);
  EXPECT_FALSE(attempts.Due(kPartition, kStart + 2 * RetrySchedule::kPauseFirst));
}

TEST(OpeningAttemptsTest, WhatPassesIsTriedInEveryRound) {
  OpeningAttempts attempts;
  attempts.Failed(kPartition, Error(Code::kUnavailable, "the store does not answer"), kStart);
  attempts.Failed(kPartition, Error(Code::kFenced, "another has taken it meanwhile"), kStart);
  EXPECT_TRUE(attempts.Due(kPartition, kStart));
}

}  // namespace
}  // namespace orrery::cluster
