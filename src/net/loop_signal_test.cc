#include "net/loop_signal.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace orrery::net {
namespace {

// The loop is run by the test's own thread.
class LoopSignalTest : public ::testing::Test {
 protected:
  boost::asio::io_context context_;
  int runs_ = 0;
  std::shared_ptr<LoopSignal> signal_ =
      LoopSignal::Make(context_.get_executor(), [this] { ++runs_; });
};

TEST_F(LoopSignalTest, ManyCallsMakeOneRun) {
  for (int i = 0; i < 1000; ++i) signal_->Raise();
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(context_.poll(), 1u);
  EXPECT_EQ(runs_, 1);
  signal_->Raise();
  context_.restart();
  context_.poll();
  EXPECT_EQ(runs_, 2);
}

TEST_F(LoopSignalTest, KnowsItsThread) {
  EXPECT_TRUE(signal_->on_loop());
  std::thread([&] { EXPECT_FALSE(signal_->on_loop()); }).join();
}

TEST_F(LoopSignalTest, IsSilentAfterClose) {
  signal_->Raise();
  signal_->Close();
  context_.poll();
  EXPECT_EQ(runs_, 0);
  signal_->Raise();
  context_.restart();
  EXPECT_EQ(context_.poll(), 0u);
}

TEST(LoopSignalThreadsTest, NothingSaidIsMissed) {
  constexpr int kThreads = 4;
  constexpr int kMessages = 5000;
  boost::asio::io_context context;
  auto work = std::make_optional(boost::asio::make_work_guard(context));
  Mutex mutex;
  int said = 0;
  int heard = 0;
  const auto signal = LoopSignal::Make(context.get_executor(), [&] {
    MutexLock lock(mutex);
    heard += std::exchange(said, 0);
    if (heard == kThreads * kMessages) work.reset();
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kMessages; ++j) {
        {
          MutexLock lock(mutex);
          ++said;
        }
        signal->Raise();
      }
    });
  }
  context.run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(heard, kThreads * kMessages);
}

}  // namespace
}  // namespace orrery::net
