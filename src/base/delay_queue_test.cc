#include "base/delay_queue.h"

#include <gtest/gtest.h>

#include <latch>
#include <vector>

namespace orrery {
namespace {

using std::chrono::milliseconds;

TEST(DelayQueueTest, RunsTasksInTheOrderTheyAreDue) {
  DelayQueue queue("delay", 10);
  std::vector<int> ran;
  ASSERT_TRUE(queue.RunAfter(std::chrono::hours(2), [&] { ran.push_back(2); }));
  ASSERT_TRUE(queue.RunAfter(std::chrono::hours(1), [&] { ran.push_back(1); }));
  queue.Stop();
  EXPECT_EQ(ran, (std::vector<int>{1, 2}));
}

TEST(DelayQueueTest, RunsATaskThatIsDue) {
  DelayQueue queue("delay", 10);
  std::latch done(1);
  ASSERT_TRUE(queue.RunAfter(milliseconds(0), [&] { done.count_down(); }));
  done.wait();
}

TEST(DelayQueueTest, RefusesMoreThanItHolds) {
  DelayQueue queue("delay", 1);
  ASSERT_TRUE(queue.RunAfter(std::chrono::hours(1), [] {}));
  EXPECT_FALSE(queue.RunAfter(milliseconds(0), [] {}));
}

TEST(DelayQueueTest, RunsWhatIsLeftWhenItStops) {
  bool ran = false;
  DelayQueue queue("delay", 1);
  ASSERT_TRUE(queue.RunAfter(std::chrono::hours(1), [&] { ran = true; }));
  queue.Stop();
  EXPECT_TRUE(ran);
  EXPECT_FALSE(queue.RunAfter(milliseconds(0), [] {}));
}

}  // namespace
}  // namespace orrery
