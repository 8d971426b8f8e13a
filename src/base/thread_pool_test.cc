#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>

namespace orrery {
namespace {

TEST(ThreadPoolTest, StopRunsWhatWasQueued) {
  ThreadPool pool("test", 2, 1000);
  std::atomic<int> done = 0;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(pool.Submit([&] { ++done; }));
  pool.Stop();
  EXPECT_EQ(done, 1000);
  EXPECT_FALSE(pool.Submit([] {}));
  pool.Stop();
}

TEST(ThreadPoolTest, RefusesWhenTheQueueIsFull) {
  std::latch started(1);
  std::latch release(1);
  ThreadPool pool("test", 1, 2);
  ASSERT_TRUE(pool.Submit([&] {
    started.count_down();
    release.wait();
  }));
  started.wait();
  EXPECT_TRUE(pool.Submit([] {}));
  EXPECT_TRUE(pool.Submit([] {}));
  EXPECT_EQ(pool.queued(), 2u);
  EXPECT_FALSE(pool.Submit([] {}));
  release.count_down();
  pool.Stop();
  EXPECT_EQ(pool.queued(), 0u);
}

TEST(ThreadPoolTest, TakesMoveOnlyTasksAndSurvivesOneThatThrows) {
  std::atomic<int> sum = 0;
  {
    ThreadPool pool("a name that is far too long", 1, 10);
    ASSERT_TRUE(pool.Submit([] { throw std::runtime_error("a library's exception"); }));
    ASSERT_TRUE(pool.Submit([&, number = std::make_unique<int>(7)] { sum += *number; }));
  }
  EXPECT_EQ(sum, 7);
}

TEST(ThreadPoolTest, ALongTaskHoldsNobodyUp) {
  ThreadPool pool("test", 1, 10, ThreadPriority::kNormal, 2);
  // Each waits for one behind it in the queue.
  std::latch first(1);
  std::latch second(1);
  std::latch all(3);
  ASSERT_TRUE(pool.Submit([&] {
    first.wait();
    all.count_down();
  }));
  ASSERT_TRUE(pool.Submit([&] {
    second.wait();
    first.count_down();
    all.count_down();
  }));
  ASSERT_TRUE(pool.Submit([&] {
    EXPECT_EQ(pool.long_tasks(), 2u);
    second.count_down();
    all.count_down();
  }));
  all.wait();
  pool.Stop();
  EXPECT_EQ(pool.long_tasks(), 0u);
  EXPECT_EQ(pool.threads(), 1u);
}

TEST(ThreadPoolTest, StandInsAreBounded) {
  ThreadPool pool("test", 1, 10, ThreadPriority::kNormal, 1);
  std::latch release(1);
  std::latch begun(2);
  std::atomic<bool> third_began = false;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(pool.Submit([&] {
      begun.count_down();
      release.wait();
    }));
  }
  ASSERT_TRUE(pool.Submit([&] { third_began = true; }));
  begun.wait();
  EXPECT_EQ(pool.long_tasks(), 1u);
  EXPECT_FALSE(third_began);
  release.count_down();
  pool.Stop();
  EXPECT_TRUE(third_began);
}

}  // namespace
}  // namespace orrery
