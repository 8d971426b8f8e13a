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

}  // namespace
}  // namespace orrery
