#include "gateway/fan_out.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace orrery::gateway {
namespace {

TEST(FanOut, DoesEachPieceOnce) {
  ThreadPool pool("test", 3, 100);
  for (const size_t count : {0u, 1u, 2u, 17u}) {
    for (const size_t parallel : {0u, 1u, 4u, 100u}) {
      std::vector<std::atomic<int>> done(count);
      FanOut(pool, count, parallel, [&](size_t i) { done[i].fetch_add(1); });
      for (const auto& times : done) EXPECT_EQ(times.load(), 1);
    }
  }
}

TEST(FanOut, NeedsNoFreeThread) {
  ThreadPool pool("test", 1, 1);
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  ASSERT_TRUE(pool.Submit([released] { released.wait(); }));
  int done = 0;
  FanOut(pool, 5, 4, [&](size_t) { ++done; });
  EXPECT_EQ(done, 5);
  release.set_value();
  pool.Stop();
}

TEST(FanOut, WorksFromInsideThePool) {
  ThreadPool pool("test", 1, 10);
  std::promise<int> result;
  ASSERT_TRUE(pool.Submit([&] {
    std::atomic<int> done{0};
    FanOut(pool, 8, 4, [&](size_t) { done.fetch_add(1); });
    result.set_value(done.load());
  }));
  EXPECT_EQ(result.get_future().get(), 8);
  pool.Stop();
}

}  // namespace
}  // namespace orrery::gateway
