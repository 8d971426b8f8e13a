#include "script/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

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
    ASSERT_TRUE(pool.Run([&, i](Sandbox& sandbox) {
                      const Value argument[] = {Value::Int32(i)};
                      sum += sandbox.Call(square, argument)->AsInteger();
                      done.count_down();
                    })
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
  ASSERT_TRUE(pool.Run([&](Sandbox&) {
                    started.count_down();
                    release.wait();
                  })
                  .has_value());
  started.wait();
  EXPECT_TRUE(pool.Run([](Sandbox&) {}).has_value());
  EXPECT_TRUE(pool.Run([](Sandbox&) {}).has_value());
  EXPECT_EQ(pool.Run([](Sandbox&) {}).error().code(), Code::kOverloaded);
  release.count_down();
  pool.Stop();
  EXPECT_EQ(pool.queued(), 0u);
  EXPECT_EQ(pool.Run([](Sandbox&) {}).error().code(), Code::kCancelled);
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
    ASSERT_TRUE(pool.Run([&, i](Sandbox& sandbox) {
                      if (i == 0) started.count_down();
                      const auto outcome = sandbox.Call(loop, {});
                      if (outcome.error().reason == Reason::kCancelled) ++cancelled;
                    })
                    .has_value());
  }
  started.wait();
  pool.Stop();
  EXPECT_EQ(cancelled, 3);
}

}  // namespace
}  // namespace orrery::script
