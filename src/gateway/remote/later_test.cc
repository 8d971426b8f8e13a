#include "gateway/remote/later.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace orrery::gateway {
namespace {

TEST(LaterThread, RunsWhatIsDueOnItsOwnThread) {
  LaterThread later;
  std::promise<std::thread::id> promise;
  ASSERT_TRUE(later.Run(std::chrono::milliseconds(0),
                        [&] { promise.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(promise.get_future().get(), std::this_thread::get_id());
}

TEST(LaterThread, StopCallsWhatWaitsInTheOrderOfItsTime) {
  LaterThread later;
  std::vector<int> called;
  ASSERT_TRUE(later.Run(std::chrono::hours(2), [&] { called.push_back(2); }));
  ASSERT_TRUE(later.Run(std::chrono::hours(1), [&] { called.push_back(1); }));
  later.Stop();
  EXPECT_EQ(called, (std::vector<int>{1, 2}));
  EXPECT_FALSE(later.Run(std::chrono::milliseconds(0), [&] { called.push_back(3); }));
  EXPECT_EQ(called.size(), 2u);
}

TEST(LaterThread, WhatACallAsksForWhileItStopsIsRefused) {
  LaterThread later;
  bool taken = true;
  ASSERT_TRUE(later.Run(std::chrono::hours(1),
                        [&] { taken = later.Run(std::chrono::milliseconds(0), [] {}); }));
  later.Stop();
  EXPECT_FALSE(taken);
}

}  // namespace
}  // namespace orrery::gateway
