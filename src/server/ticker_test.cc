#include "server/ticker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>

namespace orrery::server {
namespace {

TEST(Ticker, CallsAgainAndAgainAlsoAfterAFailure) {
  std::latch calls(3);
  std::atomic<int> left{3};
  Ticker ticker(std::chrono::milliseconds(0), [&] {
    if (left.fetch_sub(1) <= 0) return;
    calls.count_down();
    throw std::runtime_error("once more");
  });
  calls.wait();
  ticker.Stop();
  ticker.Stop();
}

TEST(Ticker, StopDoesNotWaitForThePause) {
  std::atomic<int> calls{0};
  Ticker ticker(std::chrono::hours(1), [&] { ++calls; });
  ticker.Stop();
  EXPECT_EQ(calls, 0);
}

TEST(Ticker, HurryEndsThePause) {
  std::latch called(1);
  Ticker ticker(std::chrono::hours(1), [&] { called.count_down(); });
  ticker.Hurry();
  called.wait();
}

}  // namespace
}  // namespace orrery::server
