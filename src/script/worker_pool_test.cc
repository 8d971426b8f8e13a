#include "script/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

#include "script/await.h"
#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;

TEST(WorkerPoolTest, RunsJobsOnSandboxes) {
  const SteppingClock clock;
  WorkerPool pool(TestEngine(), clock, {});
  const ProgramRef square = SandboxForTest::Body({"x"}, "return x * x;");
  std::atomic<int64_t> sum = 0;
  std::latch done(100);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(pool.Run({.work =
                              [&, i](Sandbox& sandbox) {
                                const Value argument[] = {Value::Int32(i)};
                                sum += sandbox.Call(square, argument)->AsInteger();
                                done.count_down();
                              }})
                    .has_value());
  }
  done.wait();
  EXPECT_EQ(sum, 328'350);
}

TEST(WorkerPoolTest, RefusesWhenTheQueueIsFull) {
  const SteppingClock clock;
  WorkerPoolOptions options;
  options.threads = 1;
  options.queue_max = 2;
  std::latch started(1);
  std::latch release(1);
  WorkerPool pool(TestEngine(), clock, options);
  ASSERT_TRUE(pool.Run({.work =
                            [&](Sandbox&) {
                              started.count_down();
                              release.wait();
                            }})
                  .has_value());
  started.wait();
  EXPECT_TRUE(pool.Run({.work = [](Sandbox&) {}}).has_value());
  EXPECT_TRUE(pool.Run({.work = [](Sandbox&) {}}).has_value());
  EXPECT_EQ(pool.Run({.work = [](Sandbox&) {}}).error().code(), Code::kOverloaded);
  release.count_down();
  pool.Stop();
  EXPECT_EQ(pool.queued(), 0u);
  EXPECT_EQ(pool.Run({.work = [](Sandbox&) {}}).error().code(), Code::kCancelled);
}

TEST(WorkerPoolTest, StopEndsARunawayScriptAndAnswersTheRest) {
  const ManualClock clock;  // stands still: time will not end it
  WorkerPoolOptions options;
  options.threads = 1;
  WorkerPool pool(TestEngine(), clock, options);
  std::latch started(1);
  std::atomic<int> cancelled = 0;
  const ProgramRef loop = SandboxForTest::Body({}, "for (;;);");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.Run({.work =
                              [&, i](Sandbox& sandbox) {
                                if (i == 0) started.count_down();
                                const auto outcome = sandbox.Call(loop, {});
                                if (outcome.error().reason == Reason::kCancelled) ++cancelled;
                              }})
                    .has_value());
  }
  started.wait();
  pool.Stop();
  EXPECT_EQ(cancelled, 3);
}

// A native of the engine that does not ask for its limits, as seen from outside.
class WorkerPoolLossTest : public ::testing::Test {
 protected:
  static WorkerPoolOptions OneThread(size_t stand_ins_max) {
    WorkerPoolOptions options;
    options.threads = 1;
    options.stand_ins_max = stand_ins_max;
    return options;
  }
  // Returns the failure that the job is given up with.
  std::future<Failure> Hold(WorkerPool& pool) {
    auto given = std::make_shared<std::promise<Failure>>();
    auto began = std::make_shared<std::promise<void>>();
    std::future<void> has_begun = began->get_future();
    EXPECT_TRUE(pool.Run({.work =
                              [this, began](Sandbox&) {
                                began->set_value();
                                release_.wait();
                              },
                          .give_up = [given](Failure failure) { given->set_value(failure); },
                          .time_max = std::chrono::milliseconds(100)})
                    .has_value());
    has_begun.wait();
    return given->get_future();
  }

  ManualClock clock_;
  std::latch release_{1};
};

TEST_F(WorkerPoolLossTest, ALostWorkerIsReplacedAndComesBack) {
  const int64_t lost_before = TestEngine().counts().lost_now;
  const uint64_t total_before = TestEngine().counts().lost_total;
  WorkerPool pool(TestEngine(), clock_, OneThread(2));
  std::future<Failure> given = Hold(pool);
  clock_.Advance(std::chrono::milliseconds(100) + WorkerPool::kLostAfter);
  EXPECT_EQ(given.get().reason, Reason::kTime);
  EXPECT_EQ(TestEngine().counts().lost_now, lost_before + 1);
  // Somebody else's job runs, on a sandbox that is not cancelled.
  const ProgramRef one = SandboxForTest::Body({}, "return 1;");
  const auto ask = [&] {
    return Await<Value>(pool, std::chrono::milliseconds(5'000),
                        [one](Sandbox& sandbox) { return sandbox.Call(one, {}); });
  };
  EXPECT_EQ(ask(), Value::Int32(1));
  release_.count_down();
  EXPECT_EQ(ask(), Value::Int32(1));
  pool.Stop();
  EXPECT_EQ(TestEngine().counts().lost_now, lost_before);
  EXPECT_EQ(TestEngine().counts().lost_total, total_before + 1);
}

TEST_F(WorkerPoolLossTest, WhatWaitsForHeldThreadsIsGivenUp) {
  WorkerPool pool(TestEngine(), clock_, OneThread(1));
  std::future<Failure> first = Hold(pool);
  clock_.Advance(WorkerPool::kLongJob);  // a stand-in comes
  std::future<Failure> second = Hold(pool);
  std::promise<Failure> given;
  std::atomic<bool> began = false;
  ASSERT_TRUE(pool.Run({.work = [&](Sandbox&) { began = true; },
                        .give_up = [&](Failure failure) { given.set_value(failure); }})
                  .has_value());
  clock_.Advance(pool.options().queue_time_max);
  const Failure failure = given.get_future().get();
  EXPECT_EQ(failure.reason, Reason::kCancelled);
  EXPECT_EQ(failure.code, Code::kOverloaded);
  EXPECT_FALSE(began);
  release_.count_down();
}

TEST_F(WorkerPoolLossTest, AClaimedJobIsNotGivenUp) {
  WorkerPool pool(TestEngine(), clock_, OneThread(1));
  std::latch claimed(1);
  std::atomic<bool> given = false;
  std::promise<void> done;
  ASSERT_TRUE(pool.Run({.work =
                            [&](Sandbox& sandbox) {
                              EXPECT_TRUE(sandbox.Claim());
                              claimed.count_down();
                              release_.wait();
                              done.set_value();
                            },
                        .give_up = [&](const Failure&) { given = true; },
                        .time_max = std::chrono::milliseconds(1)})
                  .has_value());
  claimed.wait();
  clock_.Advance(std::chrono::hours(1));
  // The keeper has looked when the stand-in runs this.
  std::latch looked(1);
  ASSERT_TRUE(pool.Run({.work = [&](Sandbox&) { looked.count_down(); }}).has_value());
  looked.wait();
  release_.count_down();
  done.get_future().wait();
  pool.Stop();
  EXPECT_FALSE(given);
}

TEST_F(WorkerPoolLossTest, AGivenUpJobCannotBeClaimed) {
  SandboxForTest test;
  test.sandbox.BeginJob();
  EXPECT_TRUE(test.sandbox.GiveUp());
  EXPECT_FALSE(test.sandbox.Claim());
  EXPECT_EQ(test.Do("return 1;").error().reason, Reason::kCancelled);
}

TEST_F(WorkerPoolLossTest, StopDoesNotWaitForWhatDoesNotListen) {
  auto pool = std::make_unique<WorkerPool>(TestEngine(), clock_, OneThread(1));
  std::future<Failure> given = Hold(*pool);
  pool->Stop();
  EXPECT_EQ(given.get().reason, Reason::kCancelled);
  release_.count_down();  // the destructor waits
}

}  // namespace
}  // namespace orrery::script
