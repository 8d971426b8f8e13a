#include "api/cassandra/executor/statement/throttle_retry.h"

#include <gtest/gtest.h>

#include <functional>

namespace orrery::cassandra {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// Nothing here waits for its pause: Stop() runs what waits at once.
constexpr uint32_t kLongPauseMs = 3'600'000;

class ThrottleRetryTest : public ::testing::Test {
 protected:
  static std::function<Outcome()> Throttled(uint32_t retry_after_ms) {
    return [=] {
      Outcome outcome = Outcome::Failed({ErrorCode::kOverloaded, "slow down", {}, retry_after_ms});
      outcome.charge = RequestUnits::Whole(1);
      return outcome;
    };
  }
  static Outcome Succeeded() {
    Outcome outcome;
    outcome.charge = RequestUnits::Whole(5);
    return outcome;
  }
  // Answers one outcome after the other, the last for ever.
  using MakeOutcome = std::function<Outcome()>;
  ThrottleRetry::Attempt Answering(std::vector<MakeOutcome> outcomes) {
    return [this, outcomes = std::move(outcomes)](ThrottleRetry::Done done) {
      const size_t place = std::min(attempts_++, outcomes.size() - 1);
      done(outcomes[place]());
    };
  }
  ThrottleRetry::Done Keeping() {
    return [this](Outcome outcome) {
      ++answers_;
      result_ = std::move(outcome);
    };
  }
  ErrorCode Code() const { return std::get<CqlError>(result_.result).code; }

  ManualClock clock_;
  size_t attempts_ = 0;
  int answers_ = 0;
  Outcome result_;
};

TEST_F(ThrottleRetryTest, IsOffWithoutATime) {
  ThrottleRetry retry(milliseconds(0), clock_);
  EXPECT_FALSE(retry.enabled());
  retry.Stop();
}

TEST_F(ThrottleRetryTest, WhatSucceedsIsPassedOn) {
  ThrottleRetry retry(hours(2), clock_);
  EXPECT_TRUE(retry.enabled());
  retry.Run(Answering({Succeeded}), {}, Keeping());
  EXPECT_EQ(attempts_, 1u);
  EXPECT_EQ(answers_, 1);
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(result_.result));
}

TEST_F(ThrottleRetryTest, OtherErrorsArePassedOnToo) {
  ThrottleRetry retry(hours(2), clock_);
  const auto refused = [] { return Outcome::Failed({ErrorCode::kInvalid, "no", {}, 0}); };
  retry.Run(Answering({refused}), {}, Keeping());
  EXPECT_EQ(attempts_, 1u);
  EXPECT_EQ(Code(), ErrorCode::kInvalid);
}

TEST_F(ThrottleRetryTest, ThrottledOnesAreTriedAgainAndPaidForEachTime) {
  ThrottleRetry retry(hours(2), clock_);
  retry.Run(Answering({Throttled(kLongPauseMs), Succeeded}), {}, Keeping());
  EXPECT_EQ(attempts_, 1u);
  EXPECT_EQ(answers_, 0);
  retry.Stop();
  EXPECT_EQ(attempts_, 2u);
  EXPECT_EQ(answers_, 1);
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(result_.result));
  EXPECT_EQ(result_.charge, RequestUnits::Whole(6));
}

TEST_F(ThrottleRetryTest, APauseBeyondTheDeadlineIsATimeOut) {
  ThrottleRetry retry(milliseconds(100), clock_);
  retry.Run(Answering({Throttled(100)}), {.is_write = true, .consistency = Consistency::kQuorum},
            Keeping());
  EXPECT_EQ(attempts_, 1u);
  EXPECT_EQ(answers_, 1);
  EXPECT_EQ(Code(), ErrorCode::kWriteTimeout);
  const auto& error = std::get<CqlError>(result_.result);
  EXPECT_EQ(error.retry_after_ms, 0u);
  EXPECT_EQ(std::get<WriteTimeoutDetails>(error.details).progress.consistency,
            Consistency::kQuorum);
  EXPECT_EQ(result_.charge, RequestUnits::Whole(1));
}

TEST_F(ThrottleRetryTest, ReadsTimeOutAsReads) {
  ThrottleRetry retry(milliseconds(100), clock_);
  retry.Run(Answering({Throttled(200)}), {.is_write = false, .consistency = Consistency::kOne},
            Keeping());
  EXPECT_EQ(Code(), ErrorCode::kReadTimeout);
}

TEST_F(ThrottleRetryTest, OnceStoppedNothingWaits) {
  ThrottleRetry retry(hours(2), clock_);
  retry.Run(Answering({Throttled(kLongPauseMs)}), {.is_write = true}, Keeping());
  retry.Stop();
  EXPECT_EQ(attempts_, 2u);
  EXPECT_EQ(answers_, 1);
  EXPECT_EQ(Code(), ErrorCode::kWriteTimeout);
}

}  // namespace
}  // namespace orrery::cassandra
