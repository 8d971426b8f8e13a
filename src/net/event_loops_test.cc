#include "net/event_loops.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/turn_end.h"

namespace orrery::net {
namespace {

TEST(EventLoopsTest, EachLoopHasItsOwnThread) {
  EventLoops loops(3);
  std::set<std::thread::id> threads;
  for (size_t i = 0; i < loops.size(); ++i) {
    std::promise<std::thread::id> promise;
    loops.Post(i, [&] { promise.set_value(std::this_thread::get_id()); });
    threads.insert(promise.get_future().get());
  }
  EXPECT_EQ(threads.size(), 3u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(EventLoopsTest, WhatIsPutOffComesAfterWhatIsReady) {
  EventLoops loops(1);
  EXPECT_EQ(TurnEnd::OfThisThread(), nullptr);
  std::latch all_posted(1);
  std::promise<std::string> order;
  std::string text;
  loops.Post(0, [&] {
    all_posted.wait();
    TurnEnd::OfThisThread()->Add([&] { text += "x"; });
    TurnEnd::OfThisThread()->Add([&] {
      text += "y";
      order.set_value(text);
    });
    text += "a";
  });
  loops.Post(0, [&] { text += "b"; });
  all_posted.count_down();
  EXPECT_EQ(order.get_future().get(), "abxy");
}

TEST(EventLoopsTest, SurvivesATaskThatThrows) {
  EventLoops loops(1);
  std::latch done(1);
  loops.Post(0, [] { throw std::runtime_error("a library's exception"); });
  loops.Post(0, [&, number = std::make_unique<int>(1)] { done.count_down(*number); });
  done.wait();
}

TEST(EventLoopsTest, StopIsIdempotentAndLaterTasksAreDropped) {
  EventLoops loops(2);
  loops.Stop();
  loops.Stop();
  auto held = std::make_shared<int>(1);
  loops.Post(1, [held] { FAIL() << "ran after Stop()"; });
  EXPECT_EQ(held.use_count(), 2);
}

}  // namespace
}  // namespace orrery::net
