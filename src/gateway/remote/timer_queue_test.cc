#include "gateway/remote/timer_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace orrery::gateway {
namespace {

TEST(TimerThread, RunsWhatIsDueOnItsOwnThread) {
  TimerThread timers;
  std::promise<std::thread::id> promise;
  ASSERT_TRUE(timers.Run(std::chrono::milliseconds(0),
                         [&] { promise.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(promise.get_future().get(), std::this_thread::get_id());
}

TEST(TimerThread, StopCallsWhatWaitsInTheOrderOfItsTime) {
  TimerThread timers;
  std::vector<int> called;
  ASSERT_TRUE(timers.Run(std::chrono::hours(2), [&] { called.push_back(2); }));
  ASSERT_TRUE(timers.Run(std::chrono::hours(1), [&] { called.push_back(1); }));
  timers.Stop();
  EXPECT_EQ(called, (std::vector<int>{1, 2}));
  EXPECT_FALSE(timers.Run(std::chrono::milliseconds(0), [&] { called.push_back(3); }));
  EXPECT_EQ(called.size(), 2u);
}

TEST(TimerThread, WhatACallAsksForWhileItStopsIsRefused) {
  TimerThread timers;
  bool taken = true;
  ASSERT_TRUE(timers.Run(std::chrono::hours(1),
                         [&] { taken = timers.Run(std::chrono::milliseconds(0), [] {}); }));
  timers.Stop();
  EXPECT_FALSE(taken);
}

}  // namespace
}  // namespace orrery::gateway
